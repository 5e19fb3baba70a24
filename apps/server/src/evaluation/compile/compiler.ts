import type { RulesetV1, Spec } from "@gatehouse/evaluation";
import type { KeyScope } from "../../context.ts";
import { toConfigs, toGates, toLayerConfigs, toLayers } from "./assemble.ts";
import { paramStoreEntry, promptEntry } from "./entries.ts";
import { defaultEnvironment } from "./environments.ts";
import type { EvaluatedProject } from "./evaluated-project.ts";
import { toHoldings } from "./holdings.ts";
import { memoize } from "./memoize.ts";
import { createSpecs, type Specs } from "./memoized-specs.ts";
import { toReach } from "./reach.ts";
import { select } from "./selection.ts";

export type Compiler = {
  /**
   * What a key with this scope gets of the project. Deterministic: equal projects make equal rulesets. What is made from the same objects as
   * before is the same object as before.
   * @param time when the project last changed, ms
   */
  compile(project: EvaluatedProject, scope: Pick<KeyScope, "environments" | "targetApps">, time: number): RulesetV1;
};

/** A compiler remembers what it made last for each scope; a project has one of its own. */
export function createCompiler(): Compiler {
  const specsByReach = new Map<string, Specs>();
  const toParamStore = memoize(paramStoreEntry);
  const toPrompt = memoize(promptEntry);
  return {
    compile(project, scope, time) {
      const reach = toReach(scope);
      const specs = specsByReach.get(reach.key) ?? createSpecs(reach);
      specsByReach.set(reach.key, specs);
      const holdings = toHoldings(project);
      const selection = select(project, holdings, reach);
      const onLayers = toLayers(selection);
      const configs = toConfigs(project, selection, onLayers, holdings, specs);
      const gates = toGates(project, selection, configs, holdings, specs);
      return {
        has_updates: true,
        time,
        feature_gates: gates,
        dynamic_configs: configs,
        layer_configs: toLayerConfigs(project, selection, onLayers, holdings, specs),
        layers: Object.fromEntries([...onLayers].map(([id, experiments]) => [id, experiments.map((experiment) => experiment.id)])),
        id_lists: Object.fromEntries(idListsOf([...gates, ...configs]).map((name) => [name, true])),
        param_stores: Object.fromEntries(selection.paramStores.map((store) => [store.id, toParamStore(store)])),
        prompt_configs: Object.fromEntries(selection.prompts.map((prompt) => [prompt.id, toPrompt(prompt)])),
        default_environment: defaultEnvironment(project.environments, reach),
      };
    },
  };
}

/** The names of the lists that conditions look into. */
function idListsOf(specs: Spec[]): string[] {
  const names = new Set<string>();
  for (const { rules } of specs) {
    for (const { conditions } of rules) {
      for (const { operator, targetValue } of conditions) {
        if (operator?.endsWith("in_segment_list")) names.add(String(targetValue));
      }
    }
  }
  return [...names].sort();
}
