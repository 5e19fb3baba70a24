import type { Schema } from "@gatehouse/contract/console";
import type { Rule } from "@gatehouse/evaluation";
import { isRuleEnabled } from "../../console/common/rule.ts";
import { toCondition } from "./console-conditions.ts";
import { withinEnvironments } from "./environments.ts";
import type { RulesetScope } from "./ruleset-scope.ts";
import { rule } from "./specs.ts";

export type ConsoleRule = Schema<"Rule"> | Schema<"InlineTargetingRule">;

/**
 * The enabled rules of a gate that apply in the key's environments. Pending rollouts have no effect. Rules of gates have no group name:
 * newer SDKs would use it for the spec whose condition evaluates the gate.
 */
export function gateRules(rules: readonly ConsoleRule[], reach: RulesetScope, idType: string): Rule[] {
  return toRules(rules, reach, idType, () => ({ returnValue: true }));
}

type Outcome = Pick<Rule, "returnValue" | "groupName">;

/** The enabled rules that apply in the key's environments, each with its outcome for units that pass. */
export function toRules(
  rules: readonly ConsoleRule[],
  reach: RulesetScope,
  idType: string,
  outcome: (given: ConsoleRule) => Outcome,
): Rule[] {
  return rules.filter(isRuleEnabled).flatMap((given) => {
    const environment = withinEnvironments(given.environments, reach, idType);
    if (!environment) return [];
    const id = given.id || given.name;
    const conditions = [...environment, ...given.conditions.map((one) => toCondition(one, reach, idType))];
    const { name, passPercentage } = given;
    // The base id stays when a rule gets another id, so that the same units pass.
    const salt = given.baseID ?? id;
    return [rule({ id, name, salt, passPercentage, conditions, idType, ...outcome(given) })];
  });
}
