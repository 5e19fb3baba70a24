import { type CompiledSpec, compileSpec } from "./compile.ts";
import type { Condition, IndexedRuleset, Ruleset, RulesetV1, RulesetV2, Spec, SpecIndex } from "./ruleset.ts";
import { type SpecGroup, specGroup } from "./spec-group.ts";

/** Specs by name, each compiled at its first use. */
export type SpecTable = {
  get(name: string): CompiledSpec | undefined;
  /** All specs in the ruleset's order. */
  groups(): readonly SpecGroup[];
};

type SpecTables = { gates: SpecTable; configs: SpecTable; layers: SpecTable };

/** Tables of specs with the same interface for all shapes of rulesets. */
export function specTables(ruleset: Ruleset | IndexedRuleset): SpecTables {
  if (isIndexed(ruleset)) return tablesOfIndexed(ruleset);
  return isV1(ruleset) ? tablesOfV1(ruleset) : tablesOfV2(ruleset);
}

export function isIndexed(ruleset: Ruleset | IndexedRuleset): ruleset is IndexedRuleset {
  return "gates" in ruleset;
}

function isV1(ruleset: Ruleset): ruleset is RulesetV1 {
  return Array.isArray(ruleset.feature_gates);
}

const compiledSpecs = new WeakMap<Spec, CompiledSpec>();

function compileOnce(name: string, spec: Spec): CompiledSpec {
  let compiled = compiledSpecs.get(spec);
  if (compiled === undefined) {
    compiled = compileSpec(name, spec, (condition) => condition);
    compiledSpecs.set(spec, compiled);
  }
  return compiled;
}

/** A spec is compiled when it is first evaluated. */
function tablesOfIndexed({ gates, configs, layers }: IndexedRuleset): SpecTables {
  return { gates: indexedTable(gates), configs: indexedTable(configs), layers: indexedTable(layers) };
}

function indexedTable(specs: SpecIndex): SpecTable {
  let groups: SpecGroup[] | undefined;
  return {
    get(name) {
      const spec = specs.get(name);
      return spec && compileOnce(name, spec);
    },
    groups() {
      groups ??= specs.groups().map(groupOnce);
      return groups;
    },
  };
}

const compiledGroups = new WeakMap<readonly Spec[], SpecGroup>();

function groupOnce(specs: readonly Spec[]): SpecGroup {
  let group = compiledGroups.get(specs);
  if (group === undefined) {
    group = specGroup(specs.map((spec) => compileOnce(spec.name ?? "", spec)));
    compiledGroups.set(specs, group);
  }
  return group;
}

/** The size of a group in a ruleset that is not indexed. */
const GROUP_SIZE = 64;

function tablesOfV1(ruleset: RulesetV1): SpecTables {
  const byName = (specs: Spec[] | undefined) => new Map((specs ?? []).map((spec) => [spec.name ?? "", spec]));
  return {
    gates: specTable(byName(ruleset.feature_gates), compileOnce),
    configs: specTable(byName(ruleset.dynamic_configs), compileOnce),
    layers: specTable(byName(ruleset.layer_configs), compileOnce),
  };
}

function tablesOfV2(ruleset: RulesetV2): SpecTables {
  const conditions = new Map<string, Condition>(Object.entries(ruleset.condition_map ?? {}));
  const compile = (name: string, spec: Spec<string>) => compileSpec(name, spec, (id) => conditions.get(id));
  const byName = (specs: Record<string, Spec<string>> | undefined) => new Map(Object.entries(specs ?? {}));
  return {
    gates: specTable(byName(ruleset.feature_gates), compile),
    configs: specTable(byName(ruleset.dynamic_configs), compile),
    layers: specTable(byName(ruleset.layer_configs), compile),
  };
}

function specTable<S>(specs: Map<string, S>, compile: (name: string, spec: S) => CompiledSpec): SpecTable {
  const ready = new Map<string, CompiledSpec>();
  let groups: SpecGroup[] | undefined;
  const get = (name: string) => {
    const known = ready.get(name);
    if (known !== undefined) return known;
    const spec = specs.get(name);
    if (spec === undefined) return undefined;
    const compiled = compile(name, spec);
    ready.set(name, compiled);
    return compiled;
  };
  return {
    get,
    groups() {
      if (groups === undefined) {
        const all = Array.from(specs.keys(), (name) => get(name) as CompiledSpec);
        const count = Math.ceil(all.length / GROUP_SIZE);
        groups = Array.from({ length: count }, (_, index) => specGroup(all.slice(index * GROUP_SIZE, (index + 1) * GROUP_SIZE)));
      }
      return groups;
    },
  };
}
