// The rows of an experiment's scorecard: each metric once, with all groups. Pure.
import { scaleLinear } from "d3-scale";
import type { Schema } from "../api.ts";
import { unitOf, valueText } from "./units.ts";
import { liftInterval, type PulseMetric } from "./verdicts.ts";

export type ScoreGroup = {
  id: string;
  name: string;
  /** The name within a sentence, if it differs. */
  inSentence?: string;
};
export type ScoreRole = "primary" | "secondary" | "monitoring" | "guardrail" | "other";

export const ROLE_NAMES: Readonly<Record<ScoreRole, string>> = {
  primary: "Primary metrics",
  secondary: "Secondary metrics",
  monitoring: "Monitoring metrics",
  guardrail: "Guardrails",
  other: "Other metrics",
};

/** A group compared with the control group by a metric. */
export type ScoreLine = { group: ScoreGroup; metric: PulseMetric };

export type ScoreRow = {
  metricID: string;
  metricName: string;
  role: ScoreRole;
  /** The most that the metric may get worse, in percent. Undefined without a guardrail. */
  maxHarmPercent: number | undefined;
  /** At least one. */
  lines: readonly [ScoreLine, ...ScoreLine[]];
};

type Lists = Pick<Schema<"ExperimentPulse">, "primaryMetrics" | "secondaryMetrics" | "otherMetrics">;

/** The results of a group that is compared with the control group. */
export type GroupPulse = { group: ScoreGroup; pulse: Lists };

const allOf = ({ primaryMetrics, secondaryMetrics, otherMetrics }: Lists): readonly PulseMetric[] => [
  ...primaryMetrics,
  ...secondaryMetrics,
  ...otherMetrics,
];

/**
 * The rows by role. A guarded metric is a guardrail unless it is a primary metric.
 * @param limits the harm that guardrails allow, in percent by metric
 */
export function scoreRows(pulses: readonly GroupPulse[], limits: ReadonlyMap<string, number>): ScoreRow[] {
  const first = pulses[0]?.pulse;
  if (!first) return [];
  const found = new Map(pulses.map(({ group, pulse }) => [group.id, new Map(allOf(pulse).map((metric) => [metric.metricID, metric]))]));
  const toRow =
    (role: ScoreRole) =>
    (metric: PulseMetric): ScoreRow[] => {
      const [line, ...lines] = pulses.flatMap(({ group }): ScoreLine[] => {
        const one = found.get(group.id)?.get(metric.metricID);
        return one ? [{ group, metric: one }] : [];
      });
      if (!line) return [];
      const { metricID, metricName } = metric;
      return [{ metricID, metricName, role, maxHarmPercent: limits.get(metricID), lines: [line, ...lines] }];
    };
  const isGuarded = ({ metricID }: PulseMetric) => limits.has(metricID);
  const [secondary, other] = [first.secondaryMetrics, first.otherMetrics];
  return [
    ...first.primaryMetrics.flatMap(toRow("primary")),
    ...secondary.filter((metric) => !isGuarded(metric)).flatMap(toRow("secondary")),
    ...[...secondary, ...other].filter(isGuarded).flatMap(toRow("guardrail")),
    ...other.filter((metric) => !isGuarded(metric)).flatMap(toRow("other")),
  ];
}

/** The rows of metrics that monitor a gate or holdout, guardrails last. */
export const monitoringRows = (metrics: readonly PulseMetric[], group: ScoreGroup, limits: ReadonlyMap<string, number>): ScoreRow[] =>
  scoreRows([{ group, pulse: { primaryMetrics: [], secondaryMetrics: [...metrics], otherMetrics: [] } }], limits).map((row) =>
    row.role === "secondary" ? { ...row, role: "monitoring" } : row,
  );

/**
 * A group's observed value: the sum per unit, or for ratios the ratio of the sums. It is the same whatever the group is compared with, while
 * CUPED and other adjustments change the mean. A percentile is the mean itself.
 */
export function observedValue(group: "control" | "test", metric: PulseMetric): number | undefined {
  const total = metric[`${group}Total`];
  const divisor = metric[`${group}Denominator`] ?? metric[`${group}Units`];
  if (metric.percentile !== undefined || total === undefined) return metric[`${group}Mean`];
  return divisor ? total / divisor : undefined;
}

/** The observed value with its unit, to the digits that its standard error justifies. */
export function observedText(group: "control" | "test", metric: PulseMetric): string | undefined {
  const value = observedValue(group, metric);
  return value === undefined ? undefined : valueText(value, metric[`${group}Std`], unitOf(metric));
}

/** The axis that all intervals of a scorecard share, in percent. It has 0. Intervals can leave it. */
export type LiftAxis = { low: number; high: number; ticks: readonly number[] };

/** The least and the most that the axis shows, in percent. A group can lose all of a metric, but win many times as much. */
const BOUNDS = { low: -100, high: 300 };
const TICKS = 5;
/** Another metric can widen the axis to so many times the reach of the primary metrics. A bar stays readable in it. */
const WIDER = 2;

type Span = readonly [low: number, high: number];

const spanOf = ({ metric }: ScoreLine): Span => liftInterval(metric) ?? [metric.percentChange ?? 0, metric.percentChange ?? 0];

/** The rows that set the range of the axis: the primary metrics, or else all metrics that are no guardrails, or else all. */
function rangingRows(rows: readonly ScoreRow[]): readonly ScoreRow[] {
  const measured = rows.filter(({ lines }) => lines.some(({ metric }) => metric.percentChange !== undefined));
  const primary = measured.filter(({ role }) => role === "primary");
  if (primary.length > 0) return primary;
  const unguarded = measured.filter(({ role }) => role !== "guardrail");
  return unguarded.length > 0 ? unguarded : measured;
}

/**
 * An axis with round ends for the intervals of the primary metrics, and of other metrics that are not much wider. So an outlier among the
 * other metrics does not shrink the bars that matter. It has at most −100% to 300%.
 */
export function liftAxis(rows: readonly ScoreRow[]): LiftAxis {
  const spans = rangingRows(rows).flatMap(({ lines }) => lines.map(spanOf));
  const reach = WIDER * Math.max(0.1, ...spans.flat().map(Math.abs));
  const others = rows.flatMap(({ lines }) => lines.map(spanOf)).filter(([low, high]) => low >= -reach && high <= reach);
  const lifts = [...spans, ...others].flat();
  const low = Math.max(BOUNDS.low, Math.min(-0.1, ...lifts));
  const high = Math.min(BOUNDS.high, Math.max(0.1, ...lifts));
  const scale = scaleLinear().domain([low, high]).nice(TICKS);
  const [start = low, end = high] = scale.domain();
  return { low: start, high: end, ticks: scale.ticks(TICKS) };
}

/** Whether a lift lies beyond the axis. */
export const isBeyond = ({ low, high }: LiftAxis, lift: number): boolean => lift < low || lift > high;

/** Whether any interval or change leaves the axis. */
export const hasBeyond = (axis: LiftAxis, rows: readonly ScoreRow[]): boolean =>
  rows.some(({ lines }) => lines.some((line) => spanOf(line).some((lift) => isBeyond(axis, lift))));

/**
 * The ticks with a label: each one, each second one and so on, as many as have room. 0 is among them.
 * @param hasRoom whether the labels of these ticks fit
 */
export function labeledTicks(ticks: readonly number[], hasRoom: (ticks: readonly number[]) => boolean): readonly number[] {
  const zero = Math.max(0, ticks.indexOf(0));
  for (let step = 1; step < ticks.length; step++) {
    const chosen = ticks.filter((_, index) => (index - zero) % step === 0);
    if (hasRoom(chosen)) return chosen;
  }
  return ticks.filter((_, index) => index === zero);
}

/** Whether the results were computed, and no unit has been exposed. */
export const areUnseen = (rows: readonly ScoreRow[]): boolean =>
  rows.length > 0 &&
  rows.every(({ lines }) =>
    lines.every(
      ({ metric: { loadedTime, controlUnits = 0, testUnits = 0 } }) => loadedTime !== undefined && controlUnits + testUnits === 0,
    ),
  );
