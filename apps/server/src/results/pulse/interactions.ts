import type { Schema } from "@gatehouse/contract/console";
import { type Estimate, estimateInteraction, holm, lackOfMeans, testDifference, testIndependence } from "@gatehouse/statistics";
import type { CrossedRow } from "../sql/crossed-counts.ts";
import { lackText, reasonText } from "./reasons.ts";
import { estimateMean } from "./sum-moments.ts";
import { type DailySums, NOTHING, sumsAsOf } from "./sums.ts";

type Interaction = Schema<"ExperimentInteraction">;
type MetricInteraction = Schema<"MetricInteraction">;
type Contrast = Schema<"InteractionContrast">;
type Cell = Schema<"InteractionCell">;

/** The groups of two experiments, the control group of each first. */
export type CrossedGroups = { groupIDs: readonly string[]; otherGroupIDs: readonly string[] };

/** A metric's sums by the group of the other experiment. */
export type CrossedMetric = {
  metricID: string;
  metricName: string;
  isRatio: boolean;
  byOtherGroup: ReadonlyMap<string, readonly DailySums[]>;
};

/** The units of each pair of groups, and whether the assignments are independent. */
export function countCrossed(
  rows: readonly CrossedRow[],
  { groupIDs, otherGroupIDs }: CrossedGroups,
): Pick<Interaction, "units" | "independence"> {
  const found = new Map(rows.map(({ grp, dim, units }) => [JSON.stringify([grp, dim]), Number(units)]));
  const table = groupIDs.map((groupID) => otherGroupIDs.map((otherGroupID) => found.get(JSON.stringify([groupID, otherGroupID])) ?? 0));
  const { value } = testIndependence(table);
  return {
    units: groupIDs.flatMap((groupID, row) =>
      otherGroupIDs.map((otherGroupID, column) => ({ groupID, otherGroupID, units: table[row]?.[column] ?? 0 })),
    ),
    ...(value && { independence: { chiSquare: value.chiSquare, degreesOfFreedom: value.degreesOfFreedom, pValue: value.p } }),
  };
}

/** The means of each pair of groups, and how the effect of each test group differs between the other experiment's test groups and its control. */
export function crossMetric(metric: CrossedMetric, { groupIDs, otherGroupIDs }: CrossedGroups, alpha: number): MetricInteraction {
  const { metricID, metricName, isRatio, byOtherGroup } = metric;
  const estimates = new Map<string, Estimate>();
  const cells: Cell[] = [];
  const key = (groupID: string, otherGroupID: string) => JSON.stringify([groupID, otherGroupID]);
  const sumsByOther = new Map(otherGroupIDs.map((other) => [other, sumsAsOf(byOtherGroup.get(other) ?? [])]));
  for (const groupID of groupIDs) {
    for (const otherGroupID of otherGroupIDs) {
      const sums = sumsByOther.get(otherGroupID)?.[groupID] ?? NOTHING;
      const { value } = estimateMean(sums, isRatio);
      if (value) estimates.set(key(groupID, otherGroupID), value);
      const numbers = value ? { mean: value.mean, standardError: value.standardError } : {};
      cells.push({ groupID, otherGroupID, units: isRatio ? sums.k : sums.n, ...numbers });
    }
  }
  const [control = "", ...tests] = groupIDs;
  const [otherControl = "", ...otherTests] = otherGroupIDs;
  const contrasts = tests.flatMap((groupID) =>
    otherTests.map((otherGroupID): Contrast => {
      const at = (group: string, other: string) => estimates.get(key(group, other));
      const four = [at(control, otherControl), at(control, otherGroupID), at(groupID, otherControl), at(groupID, otherGroupID)];
      return { groupID, otherGroupID, ...contrast(four, alpha) };
    }),
  );
  return { metricID, metricName, cells, contrasts };
}

type Four = readonly (Estimate | undefined)[];

/** @param four control and test among the other's control group and its test group: c/c, c/t, t/c, t/t */
function contrast([cc, ct, tc, tt]: Four, alpha: number): Omit<Contrast, "groupID" | "otherGroupID"> {
  if (!cc || !ct || !tc || !tt) return { reason: "A pair of groups has fewer than two units, which have no variance." };
  const { value, reason } = estimateInteraction({
    control: { otherControl: cc, otherTest: ct },
    test: { otherControl: tc, otherTest: tt },
  });
  if (!value) return { reason: reasonText(reason) };
  const { p, interval } = testDifference(value, { confidence: 1 - alpha });
  const lack = lackOfMeans(cc, tc, { alpha, isOneSided: false }) ?? lackOfMeans(ct, tt, { alpha, isOneSided: false });
  return {
    difference: value.delta,
    standardError: value.standardError,
    interval: [...interval],
    pValue: p,
    ...(lack && { reason: lackText(lack) }),
  };
}

/** Adds p-values that are corrected for the number of contrasts (Holm), and the verdicts of those with enough data. */
export function withCorrection(interactions: readonly Interaction[], alpha: number): Interaction[] {
  const judged = (contrast: Contrast) => contrast.reason === undefined && contrast.pValue !== undefined;
  const all = interactions.flatMap(({ metrics }) => metrics.flatMap(({ contrasts }) => contrasts.filter(judged)));
  const { adjusted, isSignificant } = holm(
    all.map(({ pValue = 1 }) => pValue),
    alpha,
  );
  const correct = (contrast: Contrast): Contrast => {
    const at = all.indexOf(contrast);
    return at === -1 ? contrast : { ...contrast, adjustedPValue: adjusted[at] ?? 1, isSignificant: isSignificant[at] === true };
  };
  return interactions.map((one) => ({
    ...one,
    metrics: one.metrics.map((metric) => ({ ...metric, contrasts: metric.contrasts.map(correct) })),
  }));
}
