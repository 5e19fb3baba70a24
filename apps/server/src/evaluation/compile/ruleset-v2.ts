import type { Condition, Rule, RulesetV1, RulesetV2, Spec } from "@gatehouse/evaluation";
import { contentID } from "./content-id.ts";
import { memoize } from "./memoize.ts";

/** A spec in the v2 shape, with the conditions that its rules name. */
type Hoisted = { spec: Spec<string>; conditions: [string, Condition][] };

/** Derived from the v1 shape; a spec that is the same object as before has the same v2 shape as before. */
export function toV2(ruleset: RulesetV1): RulesetV2 & { response_format: string } {
  const { feature_gates, dynamic_configs, layer_configs, layers = {}, ...common } = ruleset;
  const all = [...feature_gates, ...dynamic_configs, ...layer_configs].map((spec) => hoisted(spec));
  return {
    ...common,
    response_format: "dcs-v2",
    feature_gates: byName(feature_gates),
    dynamic_configs: byName(dynamic_configs),
    layer_configs: byName(layer_configs),
    condition_map: Object.fromEntries(all.flatMap(({ conditions }) => conditions)),
    experiment_to_layer: Object.fromEntries(
      Object.entries(layers).flatMap(([layer, experiments]) => experiments.map((experiment) => [experiment, layer])),
    ),
  };
}

const hoisted = memoize(({ name: _, ...spec }: Spec): Hoisted => {
  const conditions: Hoisted["conditions"] = [];
  const rules = spec.rules.map(
    (rule): Rule<string> => ({
      ...rule,
      conditions: rule.conditions.map((condition) => {
        const id = contentID(condition);
        conditions.push([id, condition]);
        return id;
      }),
    }),
  );
  return { spec: { ...spec, rules }, conditions };
});

function byName(specs: Spec[]): Record<string, Spec<string>> {
  return Object.fromEntries(specs.map((spec) => [spec.name, hoisted(spec).spec]));
}
