import type { Spec } from "@gatehouse/evaluation";

/** The name of a rule of a gate. Undefined for the rule IDs `default` and `disabled`, which are not rules. */
export function ruleName({ rules }: Spec<unknown>, ruleID: string): string | undefined {
  return rules.find(({ id }) => id === ruleID)?.name;
}
