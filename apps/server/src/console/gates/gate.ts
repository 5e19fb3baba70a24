import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import type { Context } from "../../common/context.ts";
import { newID } from "../../common/identifier.ts";
import { createLifecycle } from "../common/lifecycle.ts";
import { namedEach, namedInRules, namedLabels, namedMetrics } from "../common/named.ts";
import { isRuleEnabled, type RulePatch, toRules, type WritableRule } from "../common/rule.ts";
import { addedRules, patchedRules, requireRule, withAddedRule, withPatchedRule } from "../common/rule-edits.ts";
import { created, modified } from "../common/stamp.ts";
import { withSwitches } from "../common/switch.ts";
import type { Reference } from "../reference.ts";
import { namedByRelease } from "../releases/released.ts";

export type Gate = Schema<"Gate">;
type GateCreate = WritableSchema<"GateCreate">;
type GatePatch = WritableSchema<"GatePatch">;

const DEFAULTS = {
  name: "",
  description: "",
  idType: "userID",
  type: "TEMPORARY",
  typeReason: "NONE",
  tags: [],
  targetApps: [],
  holdoutIDs: [],
  team: null,
  teamID: null,
  checksPerHour: 0,
  measureMetricLifts: true,
  monitoringMetrics: [],
  reviewSettings: { requiredReview: false, allowedReviewers: [] },
  releasePipelineID: null,
  isTemplate: false,
} satisfies Partial<Gate>;

export const gateLifecycle = createLifecycle<Gate>({ noun: "Gate", enabledStatus: "In Progress", touched });

/**
 * Creates a gate. By default it is enabled and has no rules, so it fails everyone.
 * @throws AppError invalid_request with every violation under `rules`
 */
export function newGate(given: GateCreate, context: Context): Gate {
  const { isEnabled = true, rules = [] } = given;
  return withSwitches({
    id: newID("gate", given),
    ...DEFAULTS,
    ...created(context),
    ...given,
    type: declaredType(given.type ?? DEFAULTS.type),
    isEnabled,
    status: gateLifecycle.toStatus(isEnabled),
    rules: toRules(rules, [], context.now),
  });
}

/**
 * The gate with the given fields changed.
 * @throws AppError conflict if it is archived; invalid_request with every violation under `rules`
 */
export function changeGate(gate: Gate, given: GatePatch, context: Context): Gate {
  gateLifecycle.requireInUse(gate);
  const isEnabled = given.isEnabled ?? gate.isEnabled;
  return withSwitches({
    ...gate,
    ...given,
    isEnabled,
    status: statusAfter(gate, isEnabled),
    rules: given.rules ? toRules(given.rules, gate.rules, context.now) : gate.rules,
    ...touched({ ...gate, ...given }, context),
  });
}

/** @throws AppError conflict if the gate is archived; invalid_request with every violation, by its place in the rule */
export function addRule(gate: Gate, given: WritableRule, context: Context): Gate {
  gateLifecycle.requireInUse(gate);
  return { ...gate, rules: withAddedRule(gate.rules, given, context.now), ...touched(gate, context) };
}

/** @throws AppError conflict if the gate is archived; invalid_request with every violation, by its place in `given` */
export function addRules(gate: Gate, given: WritableRule[], context: Context): Gate {
  gateLifecycle.requireInUse(gate);
  return { ...gate, rules: addedRules(gate.rules, given, context.now), ...touched(gate, context) };
}

/** @throws AppError conflict if the gate is archived; invalid_request with every violation, by its place in `patches` */
export function patchRules(gate: Gate, patches: RulePatch[], context: Context): Gate {
  gateLifecycle.requireInUse(gate);
  return { ...gate, rules: patchedRules(gate.rules, patches, context.now), ...touched(gate, context) };
}

/** @throws AppError not_found if the gate has no such rule; conflict if it is archived; invalid_request with every violation */
export function patchRule(gate: Gate, ruleID: string, patch: RulePatch, context: Context): Gate {
  gateLifecycle.requireInUse(gate);
  const at = findPosition(gate, ruleID);
  return { ...gate, rules: withPatchedRule(gate.rules, at, patch, context.now), ...touched(gate, context) };
}

/** @throws AppError not_found if the gate has no such rule; conflict if it is archived */
export function deleteRule(gate: Gate, ruleID: string, context: Context): Gate {
  gateLifecycle.requireInUse(gate);
  const at = findPosition(gate, ruleID);
  return { ...gate, rules: gate.rules.toSpliced(at, 1), ...touched(gate, context) };
}

type Measured = Pick<Gate, "measureMetricLifts" | "monitoringMetrics" | "activeRelease">;

/** Whether the units of the gate's rules are kept, so that results can compare those that pass with those that fail. */
export function measuresUnits({ measureMetricLifts, monitoringMetrics, activeRelease }: Measured): boolean {
  return measureMetricLifts || monitoringMetrics.length > 0 || (activeRelease?.guardrails ?? []).length > 0;
}

/** Why no metric can compare the units of the gate; undefined if one can. */
export function reasonAgainstComparing({ rules }: Gate): string | undefined {
  const divides = rules.some((rule) => isRuleEnabled(rule) && rule.passPercentage > 0 && rule.passPercentage < 100);
  return divides ? undefined : "metrics compare the units that pass a rule with those that fail it, and no rule does both.";
}

/** The gate as versions have it: staleness is laid over it, and any change ends it. */
export const withoutStaleness = (gate: Gate): Gate => (gate.typeReason === "NONE" ? gate : { ...gate, typeReason: "NONE" });

/** The gate's references. */
export function namedByGate(gate: Gate): Reference[] {
  const { rules, monitoringMetrics, disabledEnvironments = [], activeRelease } = gate;
  return [
    ...namedByRelease(activeRelease),
    ...namedInRules(rules, "rules"),
    ...namedMetrics(monitoringMetrics, "monitoringMetrics"),
    ...namedEach("environment", disabledEnvironments, "disabledEnvironments"),
    ...namedLabels(gate),
  ];
}

/** Passes everyone, regardless of the rules. @throws AppError conflict if it is archived */
export function launchGate(gate: Gate, context: Context): Gate {
  gateLifecycle.requireInUse(gate);
  return { ...gate, isEnabled: true, status: "Launched", ...touched(gate, context) };
}

/** Restores an earlier version as a new one. Paused rollouts stay paused. */
export function restoreGate(gate: Gate, old: Gate, context: Context): Gate {
  const { pausedBy: _, ...restored } = gateLifecycle.restore(gate, old, context);
  return gate.pausedBy ? { ...restored, pausedBy: gate.pausedBy } : restored;
}

/** Any change ends staleness. */
export function touched(gate: { type: Gate["type"]; version: number }, context: Context) {
  return { type: declaredType(gate.type), typeReason: "NONE", ...modified(gate, context) } as const;
}

function declaredType(type: Gate["type"]): Gate["type"] {
  return type === "PERMANENT" ? "PERMANENT" : "TEMPORARY";
}

/** @throws AppError not_found if the gate has no such rule */
export function getRule(gate: Gate, ruleID: string): Gate["rules"][number] {
  return gate.rules[findPosition(gate, ruleID)] as Gate["rules"][number];
}

function findPosition(gate: Gate, ruleID: string): number {
  return requireRule(gate.rules, ruleID, `gate ${gate.id}`);
}

function statusAfter(gate: Gate, isEnabled: boolean): Gate["status"] {
  return isEnabled && gate.status !== "Disabled" ? gate.status : gateLifecycle.toStatus(isEnabled);
}
