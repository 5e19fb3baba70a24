import type { Schema } from "@gatehouse/contract/console";
import { benjaminiHochberg, type Difference, estimateDifference, holm, type Maybe, testHeterogeneity } from "@gatehouse/statistics";
import type { DimensionCounts } from "../sql/dimension-counts.ts";
import type { MomentsRow } from "../sql/moments-query.ts";
import { type DividedMetric, describePart, metricByPart } from "./dimension-results.ts";
import { type Asked, computePulse } from "./pulse.ts";
import { reasonText } from "./reasons.ts";

type PulseMetric = Schema<"PulseMetric">;
type Row = Schema<"SubgroupRow">;
type Subgroup = Row["subgroups"][number];
type Correction = Schema<"ExperimentSubgroups">["correction"];

/** A metric's moments by a dimension. `total` is its result for all units. */
export type DividedRow = { metric: DividedMetric; counts: DimensionCounts; rows: readonly MomentsRow[]; total: PulseMetric };

const CORRECTIONS = { holm, benjaminiHochberg } as const;

const ONE_LOOK = "The test holds for one look, at the planned end.";

/** The parameters of two-sided tests by p-values without adjustment, whatever decides the experiment. */
export const askedBySubgroup = (asked: Asked): Asked => ({
  ...asked,
  ...{ chanceToBeatThreshold: undefined, planSprt: undefined, adjustment: undefined },
});

/**
 * The results of metrics by dimensions, those that stand out first. The p-values of all values share one correction, and so do those of the tests
 * for heterogeneity.
 * @param isBeforeEnd whether there may be further looks at a sequential experiment
 */
export function computeSubgroups(
  divided: readonly DividedRow[],
  asked: Asked,
  { correction, isBeforeEnd }: { correction: Correction; isBeforeEnd: boolean },
): { comparisons: number; rows: Row[] } {
  const correct = CORRECTIONS[correction];
  const first = divided.map((one) => resultsOfParts(one, asked));
  const ps = first.flat().flatMap(({ metric }) => decidingP(metric) ?? []);
  const { alpha, adjusted } = correct(ps, asked.alpha);
  const left = [...adjusted];
  const adjustedPs = first.map((results) => results.map(({ metric }) => (decidingP(metric) === undefined ? undefined : left.shift())));
  const tests = first.map((results) => testHeterogeneity(results.flatMap(({ metric }) => toDifference(metric) ?? [])));
  const heterogeneity = describeTests(tests, correct, asked.alpha, isBeforeEnd);
  const rows = divided.map((one, index): Row => {
    const subgroups = resultsOfParts(one, { ...asked, alpha: ps.length > 0 ? alpha : asked.alpha }).map((subgroup, part): Subgroup => {
      const adjustedPValue = adjustedPs[index]?.[part];
      return { ...subgroup, ...(adjustedPValue !== undefined && { adjustedPValue }) };
    });
    const contradiction = findContradiction(one.total, subgroups);
    const found = { ...(contradiction && { contradiction }), heterogeneity: heterogeneity[index] ?? {}, subgroups };
    return { dimension: one.counts.field, standsOut: standingOut({ ...found, total: one.total }), total: one.total, ...found };
  });
  return { comparisons: ps.length, rows: rows.sort(byProminence) };
}

const resultsOfParts = ({ metric, counts, rows }: DividedRow, asked: Asked): Subgroup[] =>
  metricByPart({ ...metric, plan: undefined }, counts, rows).flatMap(({ part, divided }) =>
    computePulse([divided], asked).map((result) => ({ ...describePart(part, counts), metric: result })),
  );

/** The p-value that decides; undefined without a verdict. */
const decidingP = ({ verdict }: PulseMetric): number | undefined => (verdict?.withheld === undefined ? verdict?.pValue : undefined);

/** The difference of a value with enough data, with the variance that the groups have: those of a score test assume that they don't differ. */
function toDifference(metric: PulseMetric): Difference | undefined {
  const { controlMean, testMean, controlStd, testStd, controlUnits = 0, testUnits = 0 } = metric;
  if (decidingP(metric) === undefined || controlMean === undefined || testMean === undefined) return undefined;
  const toEstimate = (mean: number, standardError = 0, units = 0) => ({ mean, standardError, units, variance: standardError ** 2 * units });
  return estimateDifference(toEstimate(controlMean, controlStd, controlUnits), toEstimate(testMean, testStd, testUnits)).value;
}

function describeTests(
  tests: readonly Maybe<{ q: number; degreesOfFreedom: number; p: number; iSquared: number }>[],
  correct: (ps: readonly number[], alpha: number) => { adjusted: readonly number[]; isSignificant: readonly boolean[] },
  alpha: number,
  isBeforeEnd: boolean,
): Row["heterogeneity"][] {
  const { adjusted, isSignificant } = correct(
    tests.flatMap(({ value }) => (value ? [value.p] : [])),
    alpha,
  );
  let at = 0;
  return tests.map(({ value, reason }) => {
    if (!value) return { reason: reasonText(reason) };
    const [adjustedPValue = 1, isCalled = false] = [adjusted[at], isSignificant[at]];
    at += 1;
    const { q, degreesOfFreedom, p: pValue, iSquared } = value;
    const verdict = isBeforeEnd ? { reason: ONE_LOOK } : { isSignificant: isCalled };
    return { values: degreesOfFreedom + 1, q, iSquared, pValue, adjustedPValue, ...verdict };
  });
}

/** Values with most of the units whose difference has another sign than the significant one of all units. */
function findContradiction({ isSignificant, absoluteChange = 0 }: PulseMetric, subgroups: readonly Subgroup[]): Row["contradiction"] {
  if (!isSignificant || absoluteChange === 0) return undefined;
  const compared = subgroups.filter(({ metric }) => metric.absoluteChange !== undefined);
  const opposite = compared.filter(({ metric }) => (metric.absoluteChange ?? 0) * absoluteChange < 0);
  const unitShare = countUnits(opposite) / countUnits(compared);
  return unitShare > 0.5 ? { values: opposite.length, unitShare } : undefined;
}

const countUnits = (subgroups: readonly Subgroup[]): number =>
  subgroups.reduce((sum, { metric: { controlUnits = 0, testUnits = 0 } }) => sum + controlUnits + testUnits, 0);

function standingOut({ contradiction, heterogeneity, subgroups, total }: Omit<Row, "dimension" | "standsOut">): Row["standsOut"] {
  if (contradiction) return "contradiction";
  if (heterogeneity.isSignificant) return "heterogeneity";
  const differs = ({ isSignificant, absoluteChange = 0 }: PulseMetric) =>
    isSignificant && !(total.isSignificant && absoluteChange * (total.absoluteChange ?? 0) > 0);
  return subgroups.some(({ metric }) => differs(metric)) ? "subgroup" : "nothing";
}

const PROMINENCE: readonly Row["standsOut"][] = ["contradiction", "heterogeneity", "subgroup", "nothing"];

const byProminence = (a: Row, b: Row): number =>
  PROMINENCE.indexOf(a.standsOut) - PROMINENCE.indexOf(b.standsOut) || byP(a.heterogeneity.pValue, b.heterogeneity.pValue);

const byP = (a = 2, b = 2): number => a - b;
