import type { Condition, Rule, Spec } from "@gatehouse/evaluation";

type RuleInput = { id: string; idType: string; conditions: Condition[]; returnValue: unknown } & Partial<Rule>;

/** A rule that all matching units pass by default, with its id as salt. */
export function rule(given: RuleInput): Rule {
  return { name: given.id, groupName: null, salt: given.id, passPercentage: 100, ...given };
}

type SpecInput = Pick<Spec, "enabled" | "idType" | "rules"> & { id: string; version: number };

/**
 * A spec of a gate, segment or holdout. A disabled one has no rules, since newer SDKs ignore `enabled`.
 * @param id the salt of the spec, and its default name
 */
export function gateSpec(entity: string, { id, enabled, idType, rules, version }: SpecInput, name: string = id): Spec {
  return {
    name,
    type: "feature_gate",
    salt: id,
    enabled,
    defaultValue: false,
    idType,
    entity,
    rules: enabled ? rules : [],
    version,
  };
}

/** A gate that only conditions of other specs evaluate. */
export function segmentGate(name: string, idType: string, rules: Rule[]): Spec {
  return gateSpec("segment", { id: name, enabled: true, idType, rules, version: 1 });
}
