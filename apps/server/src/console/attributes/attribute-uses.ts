import type { Schema } from "@gatehouse/contract/console";
import { convertTarget, effectiveOperator, type Operator } from "../common/condition-operand.ts";
import type { EvaluatedProject } from "../evaluated-project.ts";
import { isPersonal, MAX_VALUE_LENGTH } from "./standard-attributes.ts";

type Condition = Schema<"Condition">;
type Rule = { conditions: Condition[] };
/** The rules that test an attribute, and of them those that compare with a value. */
export type AttributeUse = { rules: number; values: Map<string, number> };

/** Values of one condition that are noted. */
const MAX_VALUES = 100;

/** The attribute that conditions of a type test. Custom fields have names of their own. */
const ATTRIBUTES: Partial<Record<Condition["type"], string>> = {
  user_id: "userID",
  email: "email",
  ip_address: "ip",
  country: "country",
  locale: "locale",
  app_version: "appVersion",
  user_agent: "userAgent",
  device_model: "deviceModel",
  environment_tier: "statsigEnvironment.tier",
};

/** The operators whose targets are whole values. */
const WHOLE: ReadonlySet<Operator> = new Set([
  "any",
  "none",
  "any_case_sensitive",
  "none_case_sensitive",
  "eq",
  "neq",
  "array_contains_any",
  "array_contains_none",
  "array_contains_all",
  "not_array_contains_all",
]);

/** The uses of each entity. Entities never change, so each is read once. */
const known = new WeakMap<object, Map<string, AttributeUse>>();

/** The attributes that rules of a project test, by name. Rules of archived entities do not count. */
export function usedAttributes({ gates, dynamicConfigs, experiments, segments }: EvaluatedProject): Map<string, AttributeUse> {
  const all = new Map<string, AttributeUse>();
  const add = (entity: object, rules: readonly Rule[]) => {
    for (const [name, { rules: count, values }] of usesOf(entity, rules)) {
      const use = entryOf(all, name);
      use.rules += count;
      for (const [value, times] of values) use.values.set(value, (use.values.get(value) ?? 0) + times);
    }
  };
  for (const gate of gates.values()) if (gate.status !== "Archived") add(gate, gate.rules);
  for (const config of dynamicConfigs.values()) if (config.status !== "Archived") add(config, config.rules);
  for (const experiment of experiments.values())
    if (experiment.status !== "archived") add(experiment, experiment.inlineTargetingRules ?? []);
  for (const segment of segments.values()) if (segment.isEnabled) add(segment, segment.rules ?? []);
  return all;
}

function usesOf(entity: object, rules: readonly Rule[]): Map<string, AttributeUse> {
  let uses = known.get(entity);
  if (uses) return uses;
  uses = new Map();
  for (const { conditions } of rules) {
    const tested = new Map<string, Set<string>>();
    for (const condition of conditions) {
      const name = condition.type === "custom_field" ? condition.field : ATTRIBUTES[condition.type];
      if (!name) continue;
      const values = tested.get(name) ?? new Set();
      for (const value of comparedValues(name, condition)) values.add(value);
      tested.set(name, values);
    }
    for (const [name, values] of tested) {
      const use = entryOf(uses, name);
      use.rules += 1;
      for (const value of values) use.values.set(value, (use.values.get(value) ?? 0) + 1);
    }
  }
  known.set(entity, uses);
  return uses;
}

function entryOf(uses: Map<string, AttributeUse>, name: string): AttributeUse {
  const use = uses.get(name) ?? { rules: 0, values: new Map() };
  uses.set(name, use);
  return use;
}

function comparedValues(name: string, condition: Condition): string[] {
  const operator = effectiveOperator(condition);
  const isWhole = operator ? WHOLE.has(operator) : condition.type === "environment_tier";
  if (!isWhole || isPersonal(name)) return [];
  return [convertTarget(condition) ?? []]
    .flat()
    .slice(0, MAX_VALUES)
    .map(String)
    .filter((value) => value !== "" && value.length <= MAX_VALUE_LENGTH);
}
