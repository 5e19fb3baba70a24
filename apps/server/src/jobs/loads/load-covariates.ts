import { adjustmentOf } from "../../console/experiments/adjustment.ts";
import { divided, type Planned } from "../../results/plans/load-parts.ts";
import type { Plan } from "../../results/plans/plan.ts";
import type { LeftCovariate, StoredCovariates } from "../../results/pulse/covariates.ts";
import { agreesWith } from "../../results/pulse/covariates.ts";
import { basesIn, type GroupSums } from "../../results/pulse/sums.ts";
import type { Analysis } from "../../results/sql/analysis.ts";
import { type CovariatesRow, covariateMoments, covariatesQuery } from "../../results/sql/covariates-query.ts";
import type { LoadRun } from "./load-run.ts";
import { CHANGED, type ReadAdjustment } from "./read-adjustment.ts";

const NOT_OF_PERCENTILES = "A percentile is one of events, and a unit has no such number.";
const NOT_OF_RATIOS = "A ratio of a unit may have no denominator.";
const UNLIKE = "It's read from another source, or with another window before the exposure, than the compared metric.";
const RATIO = "It adjusts means, and this metric is a ratio.";
const BOUNDED_LATE = "It can't adjust a metric that is winsorized and waits for its window.";

/** How a load reads what the experiment's covariates were before. Undefined if it has none. */
export function openCovariates(run: LoadRun): ReadAdjustment | undefined {
  const { env, load, input, engines } = run;
  const adjustment = input.experiment && adjustmentOf(input.experiment);
  if (adjustment?.method !== "regression") return undefined;
  const { covariates } = adjustment;
  const known = readCovariates(covariates, run);

  return async (planned, totals, toAnalysis) => {
    const adjustable = planned.flatMap((one, index) => (refusal(one.plan) === undefined ? [{ ...one, totals: totals[index] ?? {} }] : []));
    const alike = known.planned.filter(({ plan }) => isAlike(plan, planned[0]?.plan));
    const left = [
      ...known.left,
      ...known.planned.filter((one) => !alike.includes(one)).map(({ metric }) => ({ metricID: metric.id, reason: UNLIKE })),
    ];
    const used = alike.map(({ metric }) => metric.id);
    const found = adjustable.length > 0 && alike.length > 0 ? await ask(adjustable, alike, toAnalysis) : [];
    return planned.map(({ metric, plan }): StoredCovariates => {
      const reason = refusal(plan);
      if (reason !== undefined) return { covariates, reason };
      const index = adjustable.findIndex((one) => one.metric === metric);
      const base = baseOf(adjustable[index]?.totals ?? {});
      const groups = covariateMoments(found, index, used.length);
      if (used.length > 0 && !agreesWith(groups, adjustable[index]?.totals ?? {}, base)) return { covariates, reason: CHANGED };
      return { covariates, used, left, base, groups };
    });
  };

  async function ask(
    metrics: readonly (Planned & { totals: GroupSums })[],
    alike: readonly Planned[],
    toAnalysis: (plans: readonly Plan[]) => Analysis,
  ): Promise<CovariatesRow[]> {
    const before = alike.map(({ plan }) => plan);
    const plans = [...metrics.map(({ plan }) => plan), ...before];
    const engine = await engines.engineFor(plans, toAnalysis(plans));
    const adjusted = metrics.map(({ plan, totals }) => ({ plan, base: baseOf(totals) }));
    const statement = covariatesQuery(adjusted, before, engine.analysis, engine.dialect);
    const startTime = env.now();
    const rows = await engine.ask<CovariatesRow>(statement);
    const jobIDs = metrics.map(({ metric }) => metric.id);
    load.jobs.push({ jobType: "adjustment", jobIDs, startTime, endTime: env.now(), sql: engine.shown(statement) });
    return rows;
  }
}

const baseOf = (totals: GroupSums): number => basesIn(totals)?.y ?? 0;

/** The covariates that have an amount before the first exposure, in their order, and the others. */
function readCovariates(ids: readonly string[], { input }: LoadRun): { planned: Planned[]; left: LeftCovariate[] } {
  const { parts, percentiles, refused } = divided(ids, input.metrics, input.compared);
  const all = parts.flat();
  const ratios = all.filter(({ plan }) => plan.denominator !== undefined);
  return {
    planned: ids.flatMap((id) => all.find(({ metric, plan }) => metric.id === id && plan.denominator === undefined) ?? []),
    left: [
      ...refused,
      ...percentiles.map(({ metric }) => ({ metricID: metric.id, reason: NOT_OF_PERCENTILES })),
      ...ratios.map(({ metric }) => ({ metricID: metric.id, reason: NOT_OF_RATIOS })),
    ],
  };
}

const isAlike = (plan: Plan, other: Plan | undefined): boolean => plan.from === other?.from && plan.preMs === other?.preMs;

/** Why a metric can't be adjusted. Bounds of units that wait need a statement without other units. */
function refusal({ numerator, denominator, waitsForSpan }: Plan): string | undefined {
  if (denominator !== undefined) return RATIO;
  return waitsForSpan && Object.keys(numerator.bounds).length > 0 ? BOUNDED_LATE : undefined;
}
