import type { Schema } from "@gatehouse/contract/console";
import type { Rule } from "@gatehouse/evaluation";
import { toCondition } from "./console-conditions.ts";
import { withinEnvironments } from "./environments.ts";
import type { Reach } from "./reach.ts";
import { rule } from "./specs.ts";

export type ConsoleRule = Schema<"Rule"> | Schema<"InlineTargetingRule">;

/**
 * The rules of a gate that apply somewhere where the key is used. Rollouts that are pending do nothing. No rule of a gate has a group name:
 * newer SDKs would take it for the one of what asks the gate.
 */
export function gateRules(rules: readonly ConsoleRule[], reach: Reach, idType: string): Rule[] {
  return toRules(rules, reach, idType, () => ({ returnValue: true }));
}

type Outcome = Pick<Rule, "returnValue" | "groupName">;

/** The rules that apply somewhere where the key is used, each with what units that pass get. */
export function toRules(rules: readonly ConsoleRule[], reach: Reach, idType: string, outcome: (given: ConsoleRule) => Outcome): Rule[] {
  return rules.flatMap((given) => {
    const environment = withinEnvironments(given.environments, reach, idType);
    if (!environment) return [];
    const id = given.id || given.name;
    const conditions = [...environment, ...given.conditions.map((one) => toCondition(one, reach, idType))];
    const { name, passPercentage } = given;
    // The base id outlives a rule that is given another id, so that the same units pass.
    const salt = given.baseID ?? id;
    return [rule({ id, name, salt, passPercentage, conditions, idType, ...outcome(given) })];
  });
}
