import { adjustmentOf } from "../../console/experiments/adjustment.ts";
import type { StoredAdjustment } from "../../results/pulse/adjustment.ts";
import { toFailure } from "./failures.ts";
import { openCovariates } from "./load-covariates.ts";
import type { LoadRun } from "./load-run.ts";
import { openStrata } from "./load-strata.ts";
import type { ReadAdjustment } from "./read-adjustment.ts";

/** How a load reads what the experiment's adjustment needs. Undefined without an adjustment. Where it fails, results are not adjusted. */
export function openAdjustment(run: LoadRun): ReadAdjustment | undefined {
  const { env, load, input } = run;
  const asked = input.experiment && adjustmentOf(input.experiment);
  const read = openStrata(run) ?? openCovariates(run);
  if (!asked || !read) return undefined;
  return async (planned, ...given) => {
    try {
      return await read(planned, ...given);
    } catch (error) {
      const { reason } = toFailure(error, run);
      env.log.warn({ err: error, projectID: load.projectID, load: load.id }, "What adjusts results could not be computed.");
      return planned.map(
        (): StoredAdjustment =>
          asked.method === "regression" ? { covariates: asked.covariates, reason } : { dimension: asked.dimension, reason },
      );
    }
  };
}
