import type { Condition, Rule, Spec } from "@gatehouse/evaluation";
import { contentID } from "./content-id.ts";

/** A spec in the v2 shape, with the conditions that its rules reference. */
export type Hoisted = { spec: Spec<string>; conditions: [id: string, condition: Condition][] };

/** Converts a spec to the v2 shape: without its name, and with rules that reference conditions by id. */
export function toV2({ name: _, ...spec }: Spec): Hoisted {
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
}

/** The layer of each experiment that is in one. */
export function toExperimentLayers(experimentsOnLayers: Iterable<[layerID: string, experimentIDs: readonly string[]]>): [string, string][] {
  return [...experimentsOnLayers].flatMap(([layer, experiments]) => experiments.map((experiment): [string, string] => [experiment, layer]));
}
