import type { Context } from "../../context.ts";
import type { Violation } from "../../errors.ts";
import { identifier, randomID } from "../common/identifier.ts";
import { withIDs } from "../common/rule.ts";
import { created, modified } from "../common/stamp.ts";
import { checkChange, type Experiment, inlineTargeting, requireInUse, settle } from "./experiment.ts";
import { checkParameters, type SharedLayer } from "./experiment-layer.ts";
import { RESET_FIELDS } from "./experiment-lifecycle.ts";

/** What a restored version does not turn back: how far the experiment has come, and what is not a setting of its own. */
const NOT_RESTORED = [
  "id",
  "layerID",
  "status",
  "statusBeforeArchive",
  "scheduledStartTime",
  "startTime",
  "endTime",
  "decisionTime",
  "decisionReason",
  "launchedGroupID",
  "userBuckets",
  "salt",
  "holdoutIDs",
  "isStale",
  "healthChecks",
  "healthCheckStatus",
  "qualityScore",
  "activeReview",
] satisfies (keyof Experiment)[];

/**
 * The experiment with the settings of an earlier version, which are checked as a change is.
 * @throws AppError conflict if it is archived or the layer is full; invalid_request naming every violation
 */
export function restoreExperiment(
  experiment: Experiment,
  version: Experiment,
  shared: SharedLayer | undefined,
  context: Context,
): Experiment {
  requireInUse(experiment);
  const violations: Violation[] = [];
  const kept = Object.fromEntries(NOT_RESTORED.map((field) => [field, experiment[field]]));
  const targeting = inlineTargeting(withIDs(version.inlineTargetingRules));
  const restored: Experiment = { ...version, ...targeting, ...kept, ...modified(experiment, context) };
  checkParameters(restored, shared, violations);
  checkChange(experiment, restored, violations);
  return settle(restored, experiment.status, shared, context, violations);
}

/** Another experiment in setup with the settings of this one; its groups keep their ids. */
export function restartAsNew(experiment: Experiment, name: string, context: Context): Experiment {
  const { activeReview: _, qualityScore: __, ...settings } = experiment;
  return {
    ...settings,
    id: identifier(name),
    name,
    ...RESET_FIELDS,
    status: "setup",
    statusBeforeArchive: null,
    userBuckets: [],
    salt: randomID(),
    holdoutIDs: [],
    isStale: false,
    healthChecks: [],
    healthCheckStatus: "PASSED",
    ...created(context),
  };
}

/** A version as the contract has it: those that were made before experiments had buckets lack what came with them. */
export function completed(version: Experiment): Experiment {
  if (version.salt !== undefined) return version;
  return { ...version, userBuckets: [], salt: version.id, statusBeforeArchive: null, scheduledStartTime: null };
}
