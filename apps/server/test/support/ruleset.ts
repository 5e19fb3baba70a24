import type { Condition, Rule, RulesetV1, Spec } from "@gatehouse/evaluation";

/** A ruleset of as little as a test is about. */
export function ruleset(given: Partial<RulesetV1>): RulesetV1 {
  return { time: 0, feature_gates: [], dynamic_configs: [], layer_configs: [], ...given };
}

export function spec(name: string, { rules = [], ...given }: Partial<Omit<Spec, "rules">> & { rules?: Partial<Rule>[] } = {}): Spec {
  const type = given.entity === undefined || given.entity === "feature_gate" ? "feature_gate" : "dynamic_config";
  const common = { name, type, salt: name, enabled: true, defaultValue: type === "feature_gate" ? false : {}, idType: "userID" };
  return { ...common, entity: "feature_gate", ...given, rules: rules.map((rule, index) => completeRule(rule, `rule_${index + 1}`)) };
}

function completeRule(given: Partial<Rule>, id: string): Rule {
  return { name: id, id, passPercentage: 100, conditions: [], returnValue: true, idType: "userID", ...given };
}

export function condition(type: string, given: Partial<Condition> = {}): Condition {
  return { type, idType: "userID", ...given };
}
