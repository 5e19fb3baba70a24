import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import type { Context } from "../../common/context.ts";
import { conflict, invalid, type Violation } from "../../common/errors.ts";
import { newID, randomID } from "../../common/identifier.ts";
import { namedInRules, namedLabels, namedMetrics, namedOne } from "../common/named.ts";
import { checkPercentage } from "../common/percentage.ts";
import { readRules } from "../common/rule.ts";
import { created, modified } from "../common/stamp.ts";
import type { Reference } from "../reference.ts";
import { checkAdjustment, namedByAdjustment } from "./adjustment.ts";
import { checkAssignmentFilters } from "./assignment-filters.ts";
import { checkFixed, checkGroupIDs, DEFAULT_GROUPS, type Group, toGroups } from "./experiment-groups.ts";
import { checkParameters, checkUnit, type SharedLayer, settleBuckets } from "./experiment-layer.ts";
import { isRunning, RESET_FIELDS, type Status, stepTo } from "./experiment-lifecycle.ts";
import { checkMetricTests, METRIC_LISTS } from "./metric-tests.ts";

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
  targetingGateID: null,
  statusBeforeArchive: null,
  resetTime: null,
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

/** No targeting gate and no inline rules. */
export const NO_TARGETING = {
  targetingGateID: null,
  inlineTargetingRules: [],
  inlineTargetingRulesJSON: "{}",
} satisfies Partial<Experiment>;

/**
 * Creates an experiment and takes it from setup to the status given. Only the name is required.
 * @param shared the experiment's layer, if it exists
 * @throws AppError invalid_request with every violation; conflict if it would start and the layer is full
 */
export function newExperiment(given: ExperimentCreate, shared: SharedLayer | undefined, context: Context): Experiment {
  const violations: Violation[] = [];
  if (given.layerID && !shared) violations.push({ property: "layerID", errorMessage: "must be the id of a layer that exists" });
  const groups = toGroups(given.groups ?? DEFAULT_GROUPS, [], context.now, violations);
  const experiment: Experiment = {
    id: newID("experiment", given, violations),
    ...DEFAULTS,
    ...(shared && { idType: shared.layer.idType }),
    controlGroupID: groups[0]?.id ?? "",
    ...RESET_FIELDS,
    userBuckets: [],
    salt: randomID(),
    ...created(context),
    ...given,
    layerID: given.layerID || null,
    ...NO_TARGETING,
    ...targeting(given, NO_TARGETING, context.now, violations),
    groups,
    status: "setup",
  };
  checkID(experiment.id, "id", violations);
  checkAssignmentFilters(experiment.assignmentSourceFilters ?? [], violations);
  checkSampling(experiment, violations);
  checkMetricTests(experiment, violations);
  checkAdjustment(experiment, violations);
  checkParameters(experiment, shared, violations);
  return settle(experiment, given.status ?? "setup", shared, context, violations);
}

/**
 * Changes the given fields and takes the experiment to the status given.
 * @throws AppError conflict if it is archived or the layer is full; invalid_request with every violation
 */
export function changeExperiment(
  experiment: Experiment,
  given: ExperimentPatch,
  shared: SharedLayer | undefined,
  context: Context,
): Experiment {
  const status = given.status ?? experiment.status;
  if (status === "archived") requireInUse(experiment);
  const violations: Violation[] = [];
  const groups = given.groups ? toGroups(given.groups, experiment.groups as Group[], context.now, violations) : experiment.groups;
  const changed: Experiment = {
    ...experiment,
    ...given,
    ...targeting(given, experiment, context.now, violations),
    groups,
    status: experiment.status,
    ...modified(experiment, context),
  };
  if (given.groups) checkParameters(changed, shared, violations);
  checkChange(experiment, changed, violations);
  return settle(changed, status, shared, context, violations);
}

/** The experiment's references. */
export function namedByExperiment(experiment: Experiment): Reference[] {
  const strataSource = experiment.stratifiedSampling?.entityPropertySource?.propertySourceName;
  return [
    ...namedOne("layer", experiment.layerID, "layerID"),
    ...namedOne("gate", experiment.targetingGateID, "targetingGateID"),
    ...namedOne("assignment_source", experiment.assignmentSourceName, "assignmentSourceName"),
    ...namedOne("qualifying_event", experiment.qualifyingEventName, "qualifyingEventName"),
    ...namedOne("entity_property_source", strataSource, "stratifiedSampling.entityPropertySource.propertySourceName"),
    ...namedByAdjustment(experiment),
    ...namedInRules(experiment.inlineTargetingRules, "inlineTargetingRules"),
    ...METRIC_LISTS.flatMap((list) => namedMetrics(experiment[list], list)),
    ...namedLabels(experiment),
  ];
}

function checkSampling({ stratifiedSampling }: Experiment, violations: Violation[]): void {
  const { startDate = "", endDate = "" } = stratifiedSampling?.metric ?? {};
  if (endDate < startDate) violations.push({ property: "stratifiedSampling.metric.endDate", errorMessage: "must not be before startDate" });
}

/** Ids that are path segments of other resources, with the name of the resource. */
const RESERVED: ReadonlyMap<string, string> = new Map([
  ["assignment_source", "assignment sources"],
  ["assignment_sources", "assignment sources"],
  ["entity_properties", "entity property sources"],
  ["entity_property", "entity property sources"],
  ["qualifying_events", "qualifying events"],
]);

/** Rejects ids whose paths are those of other resources. @param property that the id follows from */
export function checkID(id: string, property: string, violations: Violation[]): void {
  const of = RESERVED.get(id);
  if (of !== undefined) violations.push({ property, errorMessage: `cannot make the id ${id}, because that path is of ${of}` });
}

/** @throws AppError conflict if it is archived */
export function requireInUse({ id, status }: Pick<Experiment, "id" | "status">): void {
  if (status === "archived") throw conflict(`Experiment ${id} is archived. Unarchive it first.`, "status");
}

/** Rejects changes that the experiment's current state does not allow. */
export function checkChange(before: Experiment, after: Experiment, violations: Violation[]): void {
  if (isRunning(before.status)) checkFixed(before, after, violations);
  checkAssignmentFilters(after.assignmentSourceFilters ?? [], violations);
  checkSampling(after, violations);
  checkMetricTests(after, violations);
  checkAdjustment(after, violations);
  if (before.status === "decision_made" && after.launchedGroupID !== before.launchedGroupID) {
    violations.push({ property: "launchedGroupID", errorMessage: "cannot change once the decision is made; reset the experiment first" });
  }
}

/** @throws AppError invalid_request if there are violations; conflict if the layer is full */
export function settle(
  experiment: Experiment,
  status: Status,
  shared: SharedLayer | undefined,
  { now }: Context,
  violations: Violation[],
): Experiment {
  checkPercentage(experiment.allocation, "allocation", violations, 0.1);
  checkUnit(experiment, shared, violations);
  checkGroupIDs(experiment, violations);
  const settled = stepTo(experiment, status, now, violations);
  if (violations.length > 0) throw invalid(violations);
  return settleBuckets(settled, shared);
}

type Targeting = Pick<Experiment, "inlineTargetingRules" | "targetingGateID">;
type WritableTargeting = Pick<ExperimentPatch, "inlineTargetingRules" | "targetingGateID">;

/** The targeting fields that are given. The rules' text is derived from them; an empty gate id means no gate. */
function targeting(given: WritableTargeting, current: Targeting, now: number, violations: Violation[]): Partial<Experiment> {
  const gate = given.targetingGateID === undefined ? {} : { targetingGateID: given.targetingGateID || null };
  if (!given.inlineTargetingRules) return gate;
  const rules: InlineRule[] = readRules(given.inlineTargetingRules, current.inlineTargetingRules, now, "inlineTargetingRules", violations);
  return { ...gate, ...inlineTargeting(rules) };
}

/** Inline targeting rules, with their JSON text. */
function inlineTargeting(rules: InlineRule[]): Pick<Experiment, "inlineTargetingRules" | "inlineTargetingRulesJSON"> {
  return { inlineTargetingRules: rules, inlineTargetingRulesJSON: rules.length > 0 ? JSON.stringify({ rules }) : "{}" };
}
