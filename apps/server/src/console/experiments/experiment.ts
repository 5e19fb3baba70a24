import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import type { Context } from "../../context.ts";
import { conflict, invalid, type Violation } from "../../errors.ts";
import type { Reference } from "../../reference.ts";
import { identifier } from "../common/identifier.ts";
import { namedInRules, namedLabels, namedOne } from "../common/named.ts";
import { readRules } from "../common/rule.ts";
import { created, modified } from "../common/stamp.ts";
import { checkGroupIDs, type Group, HALVES, toGroups } from "./experiment-groups.ts";
import { type Status, step } from "./experiment-lifecycle.ts";

export type Experiment = Schema<"Experiment">;
type ExperimentCreate = WritableSchema<"ExperimentCreate">;
type ExperimentPatch = WritableSchema<"ExperimentPatch">;
type InlineRule = Experiment["inlineTargetingRules"][number];

const DEFAULTS = {
  layerID: null,
  description: "",
  idType: "userID",
  hypothesis: "",
  tags: [],
  team: null,
  teamID: null,
  targetApps: [],
  holdoutIDs: [],
  allocation: 100,
  launchedGroupID: null,
  targetingGateID: null,
  decisionReason: null,
  startTime: null,
  endTime: null,
  decisionTime: null,
  isStale: false,
  experimentType: "BASE",
  duration: 14,
  primaryMetrics: [],
  secondaryMetrics: [],
  otherMetrics: [],
  primaryMetricTags: [],
  secondaryMetricTags: [],
  bonferroniCorrection: false,
  defaultConfidenceInterval: "95",
  healthChecks: [],
  healthCheckStatus: "PASSED",
} satisfies Partial<Experiment>;

/**
 * An experiment made from as little as a name, and taken from setup to the status given.
 * @throws AppError invalid_request naming every violation
 */
export function newExperiment(given: ExperimentCreate, context: Context): Experiment {
  const violations: Violation[] = [];
  const groups = toGroups(given.groups ?? HALVES, [], violations);
  const experiment: Experiment = {
    id: identifier(given.name),
    ...DEFAULTS,
    controlGroupID: groups[0]?.id ?? "",
    ...created(context),
    ...given,
    groups,
    ...inlineTargeting(given.inlineTargetingRules ?? [], [], violations),
    status: "setup",
  };
  return settle(experiment, given.status ?? "setup", context, violations);
}

/**
 * The experiment with the given fields changed.
 * @throws AppError conflict if it is archived; invalid_request naming every violation
 */
export function changeExperiment(experiment: Experiment, given: ExperimentPatch, context: Context): Experiment {
  const status = given.status ?? experiment.status;
  if (experiment.status === "archived" && status === "archived") throw conflict(`Experiment ${experiment.id} is archived for good.`);
  const violations: Violation[] = [];
  const changed: Experiment = {
    ...experiment,
    ...given,
    groups: given.groups ? toGroups(given.groups, experiment.groups as Group[], violations) : experiment.groups,
    ...(given.inlineTargetingRules && inlineTargeting(given.inlineTargetingRules, experiment.inlineTargetingRules, violations)),
    status: experiment.status,
    ...modified(experiment, context),
  };
  return settle(changed, status, context, violations);
}

/** What the experiment names. */
export function namedByExperiment(experiment: Experiment): Reference[] {
  return [
    ...namedOne("layer", experiment.layerID, "layerID"),
    ...namedOne("gate", experiment.targetingGateID, "targetingGateID"),
    ...namedInRules(experiment.inlineTargetingRules, "inlineTargetingRules"),
    ...namedLabels(experiment),
  ];
}

function settle(experiment: Experiment, status: Status, { now }: Context, violations: Violation[]): Experiment {
  checkGroupIDs(experiment, violations);
  const settled = step(experiment, status, now, violations);
  if (violations.length > 0) throw invalid(violations);
  return settled;
}

/** The rules, and their text, which is kept in step with them. */
function inlineTargeting(given: InlineRule[], current: InlineRule[], violations: Violation[]) {
  const inlineTargetingRules: InlineRule[] = readRules(given, current, "inlineTargetingRules", violations);
  const inlineTargetingRulesJSON = given.length > 0 ? JSON.stringify({ rules: inlineTargetingRules }) : "{}";
  return { inlineTargetingRules, inlineTargetingRulesJSON };
}
