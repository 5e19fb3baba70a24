import type { Condition, Rule, RulesetV1, Spec } from "@gatehouse/evaluation";
import type { CompiledRuleset } from "../../src/evaluation/compile/compiled-ruleset.ts";
import { OrderedChunks } from "../../src/evaluation/compile/ordered-chunks.ts";
import type { CompiledPrompt } from "../../src/evaluation/compile/prompt-entry.ts";
import { SpecList } from "../../src/evaluation/compile/spec-list.ts";

/** A minimal ruleset with the given parts. */
export function ruleset(given: Partial<RulesetV1>): RulesetV1 {
  return { time: 0, feature_gates: [], dynamic_configs: [], layer_configs: [], ...given };
}

/** The same as a compiled project. */
export function compiled(given: Partial<RulesetV1>): CompiledRuleset {
  const {
    time,
    feature_gates,
    dynamic_configs,
    layer_configs,
    layers = {},
    param_stores = {},
    default_environment = null,
  } = ruleset(given);
  const list = (specs: Spec[]) => new SpecList().patched(new Map(specs.map((one) => [one.name ?? "", one])));
  return {
    time,
    gates: list(feature_gates),
    configs: list(dynamic_configs),
    layers: list(layer_configs),
    experimentsOnLayers: new OrderedChunks<readonly string[]>().patched(new Map(Object.entries(layers))),
    idLists: Object.keys(given.id_lists ?? {}).sort(),
    paramStores: new OrderedChunks<NonNullable<RulesetV1["param_stores"]>[string]>().patched(new Map(Object.entries(param_stores))),
    prompts: new OrderedChunks<CompiledPrompt>(),
    defaultEnvironment: default_environment,
  };
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
