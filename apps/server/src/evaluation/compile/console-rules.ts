import type { Schema } from "@gatehouse/contract/console";
import type { Rule } from "@gatehouse/evaluation";
import { toCondition } from "./console-conditions.ts";
import { withinEnvironments } from "./environments.ts";
import type { Reach } from "./reach.ts";
import { rule } from "./specs.ts";

export type ConsoleRule = Schema<"Rule"> | Schema<"InlineTargetingRule">;

/** The rules that apply somewhere where the key is used, each with what units that pass get. Rollouts that are pending do nothing. */
export function toRules(rules: readonly ConsoleRule[], reach: Reach, idType: string, returnValue: (given: ConsoleRule) => unknown): Rule[] {
  return rules.flatMap((given) => {
    const environment = withinEnvironments(given.environments, reach, idType);
    if (!environment) return [];
    const id = given.id ?? given.name;
    const conditions = [...environment, ...given.conditions.map((one) => toCondition(one, reach, idType))];
    const { name, passPercentage } = given;
    // The base id outlives a rule that is given another id, so that the same units pass.
    const salt = given.baseID ?? id;
    return [rule({ id, name, groupName: name, salt, passPercentage, conditions, returnValue: returnValue(given), idType })];
  });
}
