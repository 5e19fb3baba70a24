import type { Schema } from "@gatehouse/contract/console";
import { estimateLift, shrinkEffects } from "@gatehouse/statistics";

type Portfolio = Schema<"ExperimentPortfolio">;
type PulseMetric = Schema<"PulseMetric">;
type Decided = Portfolio["experiments"][number];
type PortfolioMetric = Portfolio["metrics"][number];
type Effect = PortfolioMetric["effects"][number];

/** A decided experiment, with the results of its group by its primary and secondary metrics. */
export type DecidedExperiment = Omit<Decided, "quarter" | "isWin"> & { date: string; primary: PulseMetric[]; secondary: PulseMetric[] };

/** The minimum number of experiments whose effects on a metric are shrunk. */
const LEAST_EXPERIMENTS = 3;
const PERCENT = 100;
const MONTHS_OF_QUARTER = 3;

/** The portfolio of experiments, which are in the order of their decisions. */
export function toPortfolio(decided: readonly DecidedExperiment[]): Pick<Portfolio, "experiments" | "quarters" | "metrics"> {
  const experiments = decided.map(({ date, primary, secondary: _, ...known }): Decided => {
    return { ...known, quarter: quarterOn(date), isWin: known.isShipped && primary.some(isBetter) };
  });
  return { experiments, quarters: toQuarters(experiments), metrics: toMetrics(decided) };
}

/** @param date as `2025-11-22` */
function quarterOn(date: string): string {
  const [year, month] = date.split("-");
  return `${year}-Q${Math.ceil(Number(month) / MONTHS_OF_QUARTER)}`;
}

const isBetter = ({ isSignificant, absoluteChange = 0, directionality }: PulseMetric): boolean =>
  isSignificant === true && (directionality === "decrease" ? absoluteChange < 0 : absoluteChange > 0);

function toQuarters(experiments: readonly Decided[]): Portfolio["quarters"] {
  const groups = new Map<string, Decided[]>();
  for (const one of experiments) {
    const key = JSON.stringify([one.quarter, one.teamID]);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups].map(([key, own]) => {
    const [quarter, teamID] = JSON.parse(key) as [string, string | null];
    const [shipped, wins] = [own.filter(({ isShipped }) => isShipped).length, own.filter(({ isWin }) => isWin).length];
    return { quarter, teamID, decided: own.length, shipped, wins, winRate: wins / own.length };
  });
}

type Measured = { experimentID: string; isShipped: boolean; metric: PulseMetric; change: number; standardError: number };

function toMetrics(decided: readonly DecidedExperiment[]): PortfolioMetric[] {
  const byMetric = new Map<string, Measured[]>();
  for (const { experimentID, isShipped, primary, secondary } of decided)
    for (const metric of [...primary, ...secondary]) {
      const lift = computeLift(metric);
      if (!lift) continue;
      const measured = { experimentID, isShipped, metric, change: PERCENT * lift.lift, standardError: PERCENT * lift.standardError };
      byMetric.set(metric.metricID, [...(byMetric.get(metric.metricID) ?? []), measured]);
    }
  const metrics = [...byMetric.values()].flatMap((all) => toMetric(all) ?? []);
  return metrics.sort((a, b) => b.effects.length - a.effects.length);
}

/** The change relative to the control mean, whose error counts; undefined without an estimate or an error. */
function computeLift({ controlMean, controlStd, testMean, testStd }: PulseMetric) {
  if (controlMean === undefined || controlStd === undefined || testMean === undefined || testStd === undefined) return undefined;
  const control = { mean: controlMean, standardError: controlStd };
  const { value } = estimateLift(control, { mean: testMean, standardError: testStd }, { confidence: 0.95 });
  return value && value.standardError > 0 ? value : undefined;
}

function toMetric(all: readonly Measured[]): PortfolioMetric | undefined {
  const [first] = all;
  if (!first || all.length < LEAST_EXPERIMENTS) return undefined;
  const { value } = shrinkEffects(all.map(({ change, standardError }) => ({ effect: change, standardError })));
  if (!value) return undefined;
  const effects = all.map(({ experimentID, isShipped, change, standardError }, index): Effect => {
    const { effect: shrunkenChange = 0, standardError: shrunkenError = 0 } = value.effects[index] ?? {};
    return { experimentID, isShipped, change, standardError, shrunkenChange, shrunkenError };
  });
  const { metricID, metricName, directionality } = first.metric;
  const cumulative = addUp(effects.filter(({ isShipped }) => isShipped));
  return {
    metricID,
    metricName,
    directionality,
    mean: value.mean,
    deviation: Math.sqrt(value.variance),
    effects,
    ...(cumulative && { cumulative }),
  };
}

function addUp(shipped: readonly Effect[]): PortfolioMetric["cumulative"] {
  if (shipped.length === 0) return undefined;
  const sum = (read: (effect: Effect) => number) => shipped.reduce((total, effect) => total + read(effect), 0);
  return {
    experiments: shipped.length,
    change: sum(({ change }) => change),
    shrunkenChange: sum(({ shrunkenChange }) => shrunkenChange),
    shrunkenError: Math.sqrt(sum(({ shrunkenError }) => shrunkenError ** 2)),
  };
}
