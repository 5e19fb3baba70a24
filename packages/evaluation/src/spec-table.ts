import { type CompiledSpec, compileSpec } from "./compile.ts";
import type { Condition, Ruleset, RulesetV1, RulesetV2, Spec } from "./ruleset.ts";

/** Specs by name, each made ready when it is first asked for. */
type SpecTable = {
  get(name: string): CompiledSpec | undefined;
  all(): Iterable<CompiledSpec>;
};

type SpecTables = { gates: SpecTable; configs: SpecTable; layers: SpecTable };

/** Both shapes of a ruleset read the same from here on. */
export function specTables(ruleset: Ruleset): SpecTables {
  return isV1(ruleset) ? tablesOfV1(ruleset) : tablesOfV2(ruleset);
}

function isV1(ruleset: Ruleset): ruleset is RulesetV1 {
  return Array.isArray(ruleset.feature_gates);
}

const compiledSpecs = new WeakMap<Spec, CompiledSpec>();

function tablesOfV1(ruleset: RulesetV1): SpecTables {
  const compile = (name: string, spec: Spec) => {
    const compiled = compiledSpecs.get(spec) ?? compileSpec(name, spec, (condition) => condition);
    compiledSpecs.set(spec, compiled);
    return compiled;
  };
  const byName = (specs: Spec[] | undefined) => new Map((specs ?? []).map((spec) => [spec.name ?? "", spec]));
  return {
    gates: specTable(byName(ruleset.feature_gates), compile),
    configs: specTable(byName(ruleset.dynamic_configs), compile),
    layers: specTable(byName(ruleset.layer_configs), compile),
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
    *all() {
      for (const name of specs.keys()) yield get(name) as CompiledSpec;
    },
  };
}
