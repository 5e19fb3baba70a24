import type { Spec } from "@gatehouse/evaluation";

/** What people call a rule of a gate; undefined for `default` and `disabled`, which are no rules. */
export function ruleName({ rules }: Spec<unknown>, ruleID: string): string | undefined {
  return rules.find(({ id }) => id === ruleID)?.name;
}
