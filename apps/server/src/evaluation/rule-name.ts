import type { Spec } from "@gatehouse/evaluation";

/** The name of a rule of a gate. Undefined for the rule IDs `default` and `disabled`, which are no rules of people. */
export function ruleName({ rules }: Spec<unknown>, ruleID: string): string | undefined {
  return rules.find(({ id, name }) => id === ruleID && (id !== "default" || name !== id))?.name;
}
