import type { Condition, Rule, RulesetV1, RulesetV2, Spec } from "../../src/index.ts";

export function condition(type: string, given: Partial<Condition> = {}): Condition {
  return { type, idType: "userID", ...given };
}

export const everyone = condition("public");

/** A rule that all pass, unless given otherwise. */
export function rule(id: string, given: Partial<Rule> = {}): Rule {
  return { name: id, id, passPercentage: 100, conditions: [everyone], returnValue: true, idType: "userID", ...given };
}

/** A gate of these rules. */
export function gate(name: string, rules: Rule[], given: Partial<Spec> = {}): Spec {
  const spec = { name, type: "feature_gate", entity: "feature_gate", salt: `salt_${name}`, enabled: true, idType: "userID" };
  return { ...spec, defaultValue: false, rules, ...given };
}

/** A config, experiment or layer of these rules. */
export function config(name: string, entity: string, rules: Rule[], given: Partial<Spec> = {}): Spec {
  const spec = { name, type: "dynamic_config", entity, salt: `salt_${name}`, enabled: true, idType: "userID" };
  return { ...spec, defaultValue: {}, rules, ...given };
}

export function ruleset(given: Partial<RulesetV1> = {}): RulesetV1 {
  return { time: 1_700_000_000_000, feature_gates: [], dynamic_configs: [], layer_configs: [], ...given };
}

/** The same ruleset in the other shape. */
export function asV2(v1: RulesetV1): RulesetV2 {
  const conditions = new Map<Condition, string>();
  const conditionID = (condition: Condition) => {
    const id = conditions.get(condition) ?? `condition_${conditions.size}`;
    conditions.set(condition, id);
    return id;
  };
  const byName = (specs: Spec[]) =>
    Object.fromEntries(
      specs.map(({ name, ...spec }) => [
        name,
        { ...spec, rules: spec.rules.map((rule) => ({ ...rule, conditions: rule.conditions.map(conditionID) })) },
      ]),
    );
  const maps = {
    feature_gates: byName(v1.feature_gates),
    dynamic_configs: byName(v1.dynamic_configs),
    layer_configs: byName(v1.layer_configs),
  };
  const condition_map = Object.fromEntries([...conditions].map(([condition, id]) => [id, condition]));
  return { ...v1, ...maps, condition_map, experiment_to_layer: {} };
}
