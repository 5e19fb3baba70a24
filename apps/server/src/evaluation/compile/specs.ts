import type { Condition, Rule, Spec } from "@gatehouse/evaluation";

type GivenRule = { id: string; idType: string; conditions: Condition[]; returnValue: unknown } & Partial<Rule>;

/** A rule that all pass who match it, divided by its own id. */
export function rule(given: GivenRule): Rule {
  return { name: given.id, groupName: null, salt: given.id, passPercentage: 100, ...given };
}

type GivenSpec = Pick<Spec, "enabled" | "idType" | "rules"> & { id: string; version: number };

/**
 * A gate of any kind. One that is disabled has no rules: newer SDKs look at these alone.
 * @param id what the hashes of its rules begin with, and its name if it has no other
 */
export function gateSpec(entity: string, { id, enabled, idType, rules, version }: GivenSpec, name: string = id): Spec {
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

/** A gate that only other rules ask. */
export function segmentGate(name: string, idType: string, rules: Rule[]): Spec {
  return gateSpec("segment", { id: name, enabled: true, idType, rules, version: 1 });
}
