import type { Schema } from "@gatehouse/contract/console";
import type { ParamStore, Spec } from "@gatehouse/evaluation";
import type { CompiledRuleset } from "../compile/compiled-ruleset.ts";

/** Something that applications evaluate, by its place in a ruleset. */
export type Flag = { type: Schema<"EvaluatedType">; kind: "gate" | "config" | "layer" | "paramStore"; name: string };

/** The types of flags by the entities of their specs. Segments and holdouts are not flags: only other specs evaluate them. */
const TYPES = new Map<string, Flag["type"]>([
  ["feature_gate", "gate"],
  ["autotune", "autotune"],
  ["dynamic_config", "dynamic_config"],
  ["experiment", "experiment"],
  ["layer", "layer"],
]);

export type Changed = {
  /** Flags whose values may differ, since their specs are not the same object, or depend on such specs. */
  flags: Flag[];
  /** The specs that differ: users with the same results for these get the same of every flag. Null if more than specs differs. */
  roots: Pick<Flag, "kind" | "name">[] | null;
};

/**
 * Compares two rulesets.
 * @param lists the names of id lists that differ
 */
export function changedFlags(before: CompiledRuleset, after: CompiledRuleset, lists: ReadonlySet<string>): Changed {
  const dependents = new Map<string, Set<string>>();
  const waiting = [...lists].map((list) => `list ${list}`);
  const flags = new Map<string, Flag>();
  const roots: Changed["roots"] = [];
  const note = ({ kind, name }: Pick<Flag, "kind" | "name">, isChanged: boolean, needed: Iterable<string>) => {
    const key = `${kind} ${name}`;
    for (const one of needed) put(dependents, one, key);
    if (!isChanged) return;
    waiting.push(key);
    roots.push({ kind, name });
  };
  const isOtherTier = before.defaultEnvironment !== after.defaultEnvironment;
  for (const kind of ["gate", "config", "layer"] as const) {
    for (const [name, { own, other }] of pairs(specsByName(before, kind), specsByName(after, kind))) {
      const type = TYPES.get((other ?? own)?.entity ?? "");
      if (type) flags.set(`${kind} ${name}`, { type, kind, name });
      const needed = own === other ? neededBy(own) : [...neededBy(own), ...neededBy(other)];
      note({ kind, name }, own !== other || isOtherTier, needed);
    }
  }
  for (const [name, { own, other }] of pairs(before.paramStores.entries(), after.paramStores.entries())) {
    const flag: Flag = { type: "param_store", kind: "paramStore", name };
    flags.set(`paramStore ${name}`, flag);
    note(flag, own !== other, [...listSources(own), ...listSources(other)]);
  }
  const reached = new Set<string>();
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    if (reached.has(key)) continue;
    reached.add(key);
    waiting.push(...(dependents.get(key) ?? []));
  }
  return {
    flags: [...flags].flatMap(([key, flag]) => (reached.has(key) ? [flag] : [])),
    roots: isOtherTier || lists.size > 0 ? null : roots,
  };
}

function put(map: Map<string, Set<string>>, key: string, value: string): void {
  const values = map.get(key);
  if (values) values.add(value);
  else map.set(key, new Set([value]));
}

const SPECS = { gate: "gates", config: "configs", layer: "layers" } as const;

function specsByName(ruleset: CompiledRuleset, kind: keyof typeof SPECS): [name: string, spec: Spec][] {
  return ruleset[SPECS[kind]].values().map((spec) => [spec.name ?? "", spec]);
}

type Pair<V> = { own: V | undefined; other: V | undefined };

/** Pairs the values of each name in one or both lists. */
function pairs<V>(before: Iterable<[name: string, value: V]>, after: Iterable<[name: string, value: V]>): Map<string, Pair<V>> {
  const found = new Map<string, Pair<V>>();
  for (const [name, own] of before) found.set(name, { own, other: undefined });
  for (const [name, other] of after) found.set(name, { own: found.get(name)?.own, other });
  return found;
}

/** The specs and id lists that a spec reads. */
function* neededBy(spec: Spec | undefined): Generator<string> {
  for (const { conditions, configDelegate } of spec?.rules ?? []) {
    if (configDelegate) yield `config ${configDelegate}`;
    for (const { type, operator, targetValue, field } of conditions) {
      if (type.endsWith("_gate")) for (const name of [targetValue].flat()) yield `gate ${name}`;
      if (type === "experiment_group") yield `config ${field}`;
      if (operator?.endsWith("in_segment_list")) yield `list ${targetValue}`;
    }
  }
}

/** The specs that a param store takes values from. */
function* listSources(store: ParamStore | undefined): Generator<string> {
  for (const parameter of Object.values(store?.parameters ?? {})) {
    switch (parameter.ref_type) {
      case "gate":
        yield `gate ${parameter.gate_name}`;
        break;
      case "dynamic_config":
        yield `config ${parameter.config_name}`;
        break;
      case "experiment":
        yield `config ${parameter.experiment_name}`;
        break;
      case "layer":
        yield `layer ${parameter.layer_name}`;
        break;
    }
  }
}
