import { type DailySums, type GroupSums, NOTHING, sumsAsOf } from "../pulse/sums.ts";
import { SUMS } from "../sql/measures.ts";

/** The largest relative difference between two series of sums, of any plan, group and day. Of sums below 1, it is the absolute difference. */
export function largestDifference(some: readonly DailySums[][], others: readonly DailySums[][]): number {
  let largest = 0;
  for (const [plan, daily] of some.entries()) {
    const other = others[plan] ?? [];
    for (const day of new Set([...daily, ...other].map((one) => one.day)))
      largest = Math.max(largest, differenceOfDay(sumsAsOf(daily, day), sumsAsOf(other, day)));
  }
  return largest;
}

function differenceOfDay(some: GroupSums, others: GroupSums): number {
  const groups = [...new Set([...Object.keys(some), ...Object.keys(others)])];
  const differences = groups.flatMap((group) => {
    const [a, b] = [some[group] ?? NOTHING, others[group] ?? NOTHING];
    return SUMS.map((name) => Math.abs(a[name] - b[name]) / Math.max(1, Math.abs(b[name])));
  });
  return Math.max(0, ...differences);
}
