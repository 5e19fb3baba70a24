import { once } from "../../common/once.ts";
import { adjustmentOf } from "../../console/experiments/adjustment.ts";
import type { Planned } from "../../results/plans/load-parts.ts";
import type { Plan } from "../../results/plans/plan.ts";
import { addUpTo, sumsByPart } from "../../results/pulse/dimension-results.ts";
import type { StoredStrata } from "../../results/pulse/strata.ts";
import { basesIn, type GroupSums } from "../../results/pulse/sums.ts";
import type { Analysis } from "../../results/sql/analysis.ts";
import { propertyIn } from "../../results/sql/dimension.ts";
import type { DimensionCounts } from "../../results/sql/dimension-counts.ts";
import { type MomentsRow, momentsQuery } from "../../results/sql/moments-query.ts";
import { countValues } from "../../warehouse/dimension-values.ts";
import { NO_FIELDS_OF_USERS, NotComputable } from "../../warehouse/source-tables.ts";
import { openResultEngines } from "../open-result-engines.ts";
import { type LoadRun, OPERATION } from "./load-run.ts";
import { CHANGED, type ReadAdjustment } from "./read-adjustment.ts";

const NO_UNITS = "No unit has a value to stratify by.";

/** How a load divides units by the experiment's strata. Undefined if it has none. */
export function openStrata(run: LoadRun): ReadAdjustment | undefined {
  const { env, load, input, signal, timeoutMs } = run;
  const adjustment = input.experiment && adjustmentOf(input.experiment);
  if (adjustment?.method !== "post_stratification") return undefined;
  const { dimension } = adjustment;
  const engines = openResultEngines(env, {
    ...{ projectID: load.projectID, operation: OPERATION, options: { signal, timeoutMs } },
    known: { ...input, property: input.strataProperty },
  });
  const count = once(async (analysis: Analysis): Promise<DimensionCounts | undefined> => {
    if (input.compared.assignmentSource && !propertyIn(dimension)) throw new NotComputable(NO_FIELDS_OF_USERS);
    return countValues(engines, engines.events, analysis, dimension);
  });

  async function readStrata(planned: readonly Planned[], totals: readonly GroupSums[], analysis: Analysis): Promise<StoredStrata[]> {
    const counts = await count(analysis);
    if (!counts || counts.values.length === 0) return planned.map(() => ({ dimension, reason: NO_UNITS }));
    const plans = planned.map(({ plan }, index): Plan => {
      const bases = basesIn(totals[index] ?? {});
      return { ...plan, ...(bases && { bases }) };
    });
    const values = counts.values.map(({ value }) => value);
    const engine = await engines.engineFor(plans, { ...analysis, dimension: { of: "values", field: dimension, values } });
    const statement = momentsQuery(plans, engine.analysis, engine.dialect);
    const startTime = env.now();
    const rows = await engine.ask<MomentsRow>(statement);
    const jobIDs = planned.map(({ metric }) => metric.id);
    load.jobs.push({ jobType: "adjustment", jobIDs, startTime, endTime: env.now(), sql: engine.shown(statement) });
    return totals.map((groups, index): StoredStrata => {
      const own = rows.filter((row) => Number(row.metric) === index);
      if (!addUpTo(groups, own)) return { dimension, reason: CHANGED };
      return { dimension, strata: sumsByPart(counts, own, basesIn(groups)) };
    });
  }

  return (planned, totals, toAnalysis) => readStrata(planned, totals, toAnalysis(planned.map(({ plan }) => plan)));
}
