import type { WritableSchema } from "@gatehouse/contract/console";
import type { Context } from "../../common/context.ts";
import { invalid, type Violation } from "../../common/errors.ts";
import { newID, randomID } from "../../common/identifier.ts";
import { created, modified } from "../common/stamp.ts";
import { checkChange, checkID, type Experiment, requireInUse, settle } from "./experiment.ts";
import { withDisabledTime } from "./experiment-groups.ts";
import { checkParameters, type SharedLayer } from "./experiment-layer.ts";
import { RESET_FIELDS } from "./experiment-lifecycle.ts";

/** Fields that restoring a version does not change: those of the lifecycle, and those that are not settings. */
const NOT_RESTORED = [
  "id",
  "layerID",
  "status",
  "statusBeforeArchive",
  "scheduledStartTime",
  "startTime",
  "assignmentStopTime",
  "endTime",
  "resetTime",
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
 * Restores the settings of an earlier version. They are checked like a change.
 * @throws AppError conflict if it is archived or the layer is full; invalid_request with every violation
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
  const current = new Map(experiment.groups.map((group) => [group.id, group]));
  const groups = version.groups.map((group) => withDisabledTime(group, current.get(group.id), context.now));
  const restored: Experiment = { ...version, ...kept, groups, ...modified(experiment, context) };
  checkParameters(restored, shared, violations);
  checkChange(experiment, restored, violations);
  return settle(restored, experiment.status, shared, context, violations);
}

/**
 * A new experiment in setup with the settings of this one. Its groups keep their ids.
 * @throws AppError invalid_request if it has no id, or one that it cannot have
 */
export function restartAsNew(experiment: Experiment, given: WritableSchema<"ExperimentCopy">, context: Context): Experiment {
  const { name, team, teamID, owner } = given;
  const violations: Violation[] = [];
  const id = newID("experiment", given, violations);
  checkID(id, given.id === undefined ? "name" : "id", violations);
  if (violations.length > 0) throw invalid(violations);
  return {
    ...copied(experiment, { id, name }, context),
    ...((team !== undefined || teamID !== undefined) && { team: team ?? null, teamID: teamID ?? null }),
    ...(owner !== undefined && { owner }),
  };
}

function copied(experiment: Experiment, { id, name }: Pick<Experiment, "id" | "name">, context: Context): Experiment {
  const { activeReview: _, qualityScore: __, ...settings } = experiment;
  return {
    ...settings,
    id,
    name,
    ...RESET_FIELDS,
    resetTime: null,
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

/**
 * A deleted experiment in setup, with the settings of a version. Its exposures are gone, so units are assigned again.
 * @param shared the layer of the version, if it exists
 * @throws AppError invalid_request with every violation
 */
export function recreateExperiment(
  deleted: Experiment,
  version: Experiment,
  shared: SharedLayer | undefined,
  context: Context,
): Experiment {
  const { id, creatorID, creatorName, creatorEmail, createdTime } = version;
  const stamp = { creatorID, creatorName, creatorEmail, createdTime, ...modified(deleted, context) };
  const experiment: Experiment = { ...copied(version, version, context), resetTime: context.now, ...stamp };
  const violations: Violation[] = [];
  if (version.layerID !== null && !shared) {
    violations.push({ property: "layerID", errorMessage: `references layer ${version.layerID}, which does not exist` });
  }
  checkID(id, "id", violations);
  checkParameters(experiment, shared, violations);
  return settle(experiment, "setup", shared, context, violations);
}
