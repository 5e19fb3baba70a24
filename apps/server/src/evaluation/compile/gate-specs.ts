import type { Schema } from "@gatehouse/contract/console";
import type { Spec } from "@gatehouse/evaluation";
import { condition, everyone, idConditions } from "./conditions.ts";
import { gateRules } from "./console-rules.ts";
import { switchedOff } from "./environments.ts";
import { holdoutRules } from "./holdout-spec.ts";
import { inlineTargetingName, segmentName } from "./names.ts";
import { overrideRules } from "./override-rules.ts";
import { releasedGateRules } from "./release-rules.ts";
import type { RulesetScope } from "./ruleset-scope.ts";
import { gateSpec, rule, segmentGate } from "./specs.ts";

/** The id of the rule of a launched gate. */
export const LAUNCHED_RULE = "launched";
const HELD_OUT = { passPercentage: 0, returnValue: true };

/** Compiles a gate: environments in which it is off, overrides, then holdouts, then rules, and a release decides which. A launched gate has only holdouts, and a rule that everyone passes. */
export function featureGateSpec(
  gate: Schema<"Gate">,
  overrides: Schema<"OverrideLists"> | undefined,
  heldBy: readonly string[],
  reach: RulesetScope,
): Spec {
  const { id, isEnabled, status, idType, version } = gate;
  const off = switchedOff(gate.disabledEnvironments, reach, idType);
  const held = holdoutRules(heldBy, idType, HELD_OUT);
  const rules =
    status === "Launched"
      ? [...held, rule({ id: LAUNCHED_RULE, idType, conditions: [everyone(idType)], returnValue: true })]
      : [
          ...overrideRules(overrides, reach, idType),
          ...held,
          ...releasedGateRules(gate, reach, (given) => gateRules(given, reach, idType)),
        ];
  const enabled = isEnabled && status !== "Disabled" && !off.isOff;
  return gateSpec("feature_gate", { id, enabled, idType, rules: [...off.rules, ...rules], version });
}

/**
 * Compiles a segment to a gate that its users pass.
 * @param ids the segment's ids, unless it is a list that SDKs download
 */
export function segmentSpec(segment: Schema<"Segment">, ids: readonly string[] | undefined, reach: RulesetScope): Spec {
  const { id, type, isEnabled: enabled, idType, rules, count, version } = segment;
  if (type === "rule_based") {
    return gateSpec("segment", { id, enabled, idType, rules: gateRules(rules, reach, idType), version }, segmentName(id));
  }
  const few = count === 0 ? [] : ids;
  const conditions = few ? idConditions(few, idType) : [condition("unit_id", idType, { operator: "in_segment_list", targetValue: id })];
  const listRules = conditions.map((one) => rule({ id: "id_list", idType, conditions: [one], returnValue: true }));
  return gateSpec("segment", { id, enabled, idType, rules: listRules, version }, segmentName(id));
}

/** Compiles inline targeting rules to a gate, which fails everyone if all rules are disabled. Undefined for an experiment without rules. */
export function inlineTargetingSpec({ id, idType, inlineTargetingRules }: Schema<"Experiment">, reach: RulesetScope): Spec | undefined {
  if (inlineTargetingRules.length === 0) return undefined;
  return segmentGate(inlineTargetingName(id), idType, gateRules(inlineTargetingRules, reach, idType));
}
