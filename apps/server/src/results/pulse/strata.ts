import { adjustMeans, type Estimate, stratifiedMeans } from "@gatehouse/statistics";
import type { ComparedSums, Estimates } from "./estimates.ts";
import { reasonText } from "./reasons.ts";
import { estimateMean, toPairs } from "./sum-moments.ts";
import { addSums, type GroupSums, NOTHING, type Sums } from "./sums.ts";

/** A load's sums for each part of a dimension, or why it has none. */
export type StoredStrata = { dimension: string; strata: readonly GroupSums[] } | { dimension: string; reason: string };

type Cell = { control: Sums; test: Sums };

/** Strata with fewer units in a group are put together. `test/calibration` of the statistics counts with it. */
const LEAST_UNITS = 10;

const FEW_STRATA = "Fewer than two values have 10 units in both groups.";

/** The groups' means over strata. With CUPED, one θ of all units adjusts the means of each stratum. */
export function stratify(
  { strata }: Extract<StoredStrata, { strata: unknown }>,
  { control, test, others }: ComparedSums,
  { cuped }: Pick<Estimates, "cuped">,
  { controlID, testID }: { controlID: string; testID: string },
): { groups: readonly [control: Estimate, test: Estimate]; strata: number } | { reason: string } {
  const cells = mergeSmall(strata.map((groups): Cell => ({ control: groups[controlID] ?? NOTHING, test: groups[testID] ?? NOTHING })));
  if (cells.length < 2) return { reason: FEW_STRATA };
  const sums = cells.flatMap((cell) => [cell.control, cell.test]);
  const units = [control, test, ...others].reduce((sum, { m }) => sum + m, 0);
  const estimates = cuped.reason === undefined ? adjustCells(sums, others, units) : sums.map((one) => estimateMean(one, false).value);
  const known = cells.flatMap((_, index) => {
    const [ofControl, ofTest] = [estimates[2 * index], estimates[2 * index + 1]];
    return ofControl && ofTest ? [{ control: ofControl, test: ofTest }] : [];
  });
  const means = stratifiedMeans(known);
  if (!means.value) return { reason: reasonText(means.reason) };
  return { groups: [means.value.control, means.value.test], strata: cells.length };
}

/** The means of cells, adjusted as those of whole groups. */
function adjustCells(cells: readonly Sums[], others: readonly Sums[], unitsWithValue: number): (Estimate | undefined)[] {
  const { base, pairs } = toPairs([...cells, ...others]);
  const { adjustment } = adjustMeans(pairs, unitsWithValue);
  return cells.map((_, index) => {
    const group = adjustment?.groups[index];
    return group && { ...group, mean: base + group.mean };
  });
}

const isLarge = ({ control, test }: Cell): boolean => Math.min(control.n, test.n) >= LEAST_UNITS;
const countUnits = ({ control, test }: Cell): number => control.n + test.n;

/** Strata with enough units: small ones together, and with the smallest other one if they are still too few. */
function mergeSmall(cells: readonly Cell[]): Cell[] {
  const large = cells.filter(isLarge).sort((a, b) => countUnits(a) - countUnits(b));
  const small = cells.filter((cell) => !isLarge(cell) && countUnits(cell) > 0);
  if (small.length === 0) return large;
  const rest = small.reduce(addCells);
  const [smallest, ...others] = large;
  if (isLarge(rest)) return [...large, rest];
  return smallest ? [addCells(smallest, rest), ...others] : [];
}

const addCells = (a: Cell, b: Cell): Cell => ({ control: addSums(a.control, b.control), test: addSums(a.test, b.test) });
