import type { ParamStore, RulesetV1, Spec } from "@gatehouse/evaluation";

/** A name that OFREP answers to, with what is behind it. */
export type Flag = { key: string } & (
  | { kind: "gate" | "dynamic_config" | "experiment" | "layer"; spec: Spec }
  | { kind: "param_store"; store: ParamStore }
);

export type FlagIndex = {
  /** In the order of their kinds: of several with one name the first is the flag. */
  flags: ReadonlyMap<string, Flag>;
  /** Dynamic configs and experiments, whether they are flags or hidden by a gate of their name. */
  configs: ReadonlyMap<string, Spec>;
};

const indexes = new WeakMap<RulesetV1, FlagIndex>();

/** The flags of a ruleset, found once for each. Segments and holdouts are gates in a ruleset, and no flags. */
export function flagIndex(ruleset: RulesetV1): FlagIndex {
  const known = indexes.get(ruleset);
  if (known !== undefined) return known;
  const index = indexOf(ruleset);
  indexes.set(ruleset, index);
  return index;
}

function indexOf({ feature_gates, dynamic_configs, layer_configs, param_stores = {} }: RulesetV1): FlagIndex {
  const flags = new Map<string, Flag>();
  const add = (flag: Flag) => void (flags.has(flag.key) || flags.set(flag.key, flag));
  const configs = new Map<string, Spec>();
  for (const spec of feature_gates) if (spec.entity === "feature_gate") add({ key: nameOf(spec), kind: "gate", spec });
  for (const spec of dynamic_configs) {
    configs.set(nameOf(spec), spec);
    add({ key: nameOf(spec), kind: spec.entity === "experiment" ? "experiment" : "dynamic_config", spec });
  }
  for (const spec of layer_configs) add({ key: nameOf(spec), kind: "layer", spec });
  for (const [key, store] of Object.entries(param_stores)) add({ key, kind: "param_store", store });
  return { flags, configs };
}

function nameOf({ name = "" }: Spec): string {
  return name;
}

/** What people call a rule of a gate; undefined for `default` and `disabled`, which are no rules. */
export function ruleName({ rules }: Spec, ruleID: string): string | undefined {
  return rules.find(({ id }) => id === ruleID)?.name;
}
