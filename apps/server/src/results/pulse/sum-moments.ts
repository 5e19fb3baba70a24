import {
  type CrossMoments,
  type Estimate,
  estimateMoments,
  estimateRatio,
  type Maybe,
  type Moments,
  type PairMoments,
} from "@gatehouse/statistics";
import type { Bases } from "../plans/plan.ts";
import type { GroupSums, Sums } from "./sums.ts";

// Moments of units from sums, either of numbers or of deviations from a base.

/** The mean of a unit, or the ratio of the sums. */
export function estimateMean(sums: Sums, isRatio: boolean): Maybe<Estimate> {
  if (!isRatio) return estimateMoments(valueMoments(sums));
  // Only units with a denominator count.
  const { n, k, y, d, yy, dd, yd, yyy, yyd, ydd, ddd, bases } = sums;
  if (n > 0 && k === 0) return { reason: "no_denominator" };
  const moments = { n: k, sumY: y, sumX: d, sumSquaresY: yy, sumSquaresX: dd, sumProducts: yd };
  return shifted(estimateRatio({ ...moments, cubes: [yyy, yyd, ydd, ddd] }), bases?.y);
}

/** The same for units' behavior before their first exposure. */
export function estimateEarlier(sums: Sums, isRatio: boolean): Maybe<Estimate> {
  const { n, p, q, pp, qq, pq, bases } = sums;
  if (!isRatio) return estimateMoments(earlierMoments(sums));
  return shifted(estimateRatio({ n, sumY: p, sumX: q, sumSquaresY: pp, sumSquaresX: qq, sumProducts: pq }), bases?.p);
}

const shifted = ({ value, reason }: Maybe<Estimate>, base = 0): Maybe<Estimate> =>
  value ? { value: { ...value, mean: value.mean + base } } : { reason };

/** The total of a group's units. */
export const totalOf = ({ y, d, bases }: Sums): number => y + (bases?.y ?? 0) * d;

type PowerSums = { n: number; nonzero: number; products: readonly [a: number, aa: number, aaa: number] };

const valueMoments = ({ n, d, y, yy, yyy, bases }: Sums): Moments => toMoments({ n, nonzero: d, products: [y, yy, yyy] }, bases?.y);
const earlierMoments = ({ n, q, p, pp, ppp, bases }: Sums): Moments => toMoments({ n, nonzero: q, products: [p, pp, ppp] }, bases?.p);

/** If every unit deviates from the base, it is that of the moments. If some have 0, the units vary so much that no digits are lost. */
function toMoments({ n, nonzero, products: [a, aa, aaa] }: PowerSums, base = 0): Moments {
  if (base === 0 || nonzero === n) return { n, sum: a, sumSquares: aa, sumCubes: aaa, ...(base !== 0 && { base }) };
  return {
    n,
    sum: a + base * nonzero,
    sumSquares: aa + 2 * base * a + base ** 2 * nonzero,
    sumCubes: aaa + 3 * base * aa + 3 * base ** 2 * a + base ** 3 * nonzero,
  };
}

/** The moments of each group, of its present and its earlier values, and the base to add to their means. */
export function toPairs(groups: readonly Sums[]): { base: number; pairs: PairMoments[] } {
  const { y: baseY = 0, p: baseP = 0 } = groups.find(({ bases }) => bases)?.bases ?? {};
  const isDeviation = baseY !== 0 && groups.every(({ n, d }) => n === d);
  const isEarlierDeviation = baseP !== 0 && groups.every(({ n, q }) => n === q);
  const [addY, addP] = [isDeviation ? 0 : baseY, isEarlierDeviation ? 0 : baseP];
  const hasCubes = addY === 0 && addP === 0;
  const pairs = groups.map(({ n, y, d, p, q, yy, pp, yp, yq, dp, dq, yyy, yyp, ypp, ppp }): PairMoments => {
    return {
      n,
      sumY: y + addY * d,
      sumX: p + addP * q,
      sumSquaresY: yy + 2 * addY * y + addY ** 2 * d,
      sumSquaresX: pp + 2 * addP * p + addP ** 2 * q,
      sumProducts: yp + addP * yq + addY * dp + addY * addP * dq,
      ...(hasCubes && { cubes: [yyy, yyp, ypp, ppp] as const }),
    };
  });
  return { base: isDeviation ? baseY : 0, pairs };
}

/** Numerator and denominator, and both before the exposure. A base changes no variance of their ratios. */
export function toCrossMoments({ n, y, d, p, q, yy, yd, yp, yq, dd, dp, dq, pp, pq, qq }: Sums): CrossMoments {
  return {
    n,
    sums: [y, d, p, q],
    products: [
      [yy, yd, yp, yq],
      [yd, dd, dp, dq],
      [yp, dp, pp, pq],
      [yq, dq, pq, qq],
    ],
  };
}

/** Sums of squares that are so many times their variation lose digits: a double has 15, and each addition may cost a part of one. */
const LOSING = 1e5;

/** Bases with which sums of squares keep their digits; undefined if they keep them without. */
export function findBases(groups: GroupSums, isRatio: boolean): Bases | undefined {
  const all = Object.values(groups);
  const sum = (of: (sums: Sums) => number) => all.reduce((total, sums) => total + of(sums), 0);
  const isLosing = all.some(({ n, y, d, yy, yd, dd }) => losesDigits({ n, a: y, b: d, aa: yy, ab: yd, bb: dd }, isRatio));
  const isEarlierLosing = all.some(({ n, p, q, pp, pq, qq }) => losesDigits({ n, a: p, b: q, aa: pp, ab: pq, bb: qq }, isRatio));
  if (!isLosing && !isEarlierLosing) return undefined;
  return {
    y: isLosing ? sum(({ y }) => y) / sum(({ n, d }) => (isRatio ? d : n)) : 0,
    p: isEarlierLosing ? sum(({ p }) => p) / sum(({ n, q }) => (isRatio ? q : n)) : 0,
  };
}

type Pair = { n: number; a: number; b: number; aa: number; ab: number; bb: number };

/** Sums of whole numbers are exact as long as they have fewer than 53 bits. */
function losesDigits({ n, a, b, aa, ab, bb }: Pair, isRatio: boolean): boolean {
  if (n < 2 || aa === 0 || (isRatio && b === 0) || (Number.isSafeInteger(aa) && Number.isSafeInteger(a))) return false;
  const ratio = isRatio ? a / b : a / n;
  const spread = isRatio ? aa - 2 * ratio * ab + ratio ** 2 * bb : aa - ratio * a;
  return spread * LOSING < aa;
}
