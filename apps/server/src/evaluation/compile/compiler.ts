import type { ParamStore, Spec } from "@gatehouse/evaluation";
import type { KeyScope } from "../../context.ts";
import { type Assembly, createAssembly } from "./assemble.ts";
import type { CompiledRuleset } from "./compiled-ruleset.ts";
import { Counted } from "./counted.ts";
import { paramStoreEntry, promptEntry } from "./entries.ts";
import { defaultEnvironment } from "./environments.ts";
import type { GroupCondition } from "./experiment-group-gate.ts";
import { memoize } from "./memoize.ts";
import { createSpecs } from "./memoized-specs.ts";
import { keyOf, type Node, NodeSet } from "./node.ts";
import { OrderedChunks } from "./ordered-chunks.ts";
import { type Affected, allNodes, type ProjectState } from "./project-state.ts";
import { toReach } from "./reach.ts";
import { select } from "./selection.ts";
import { SpecList } from "./spec-list.ts";

export type Compiler = {
  /** Notes what `compile` has to look at next. False where that has become so much that a new compiler is better. */
  affect(affected: Affected): boolean;
  /**
   * What a key with the scope gets of the project: everything is compiled at first, and what was affected later. Equal projects make equal
   * rulesets, whatever their histories. What is made from the same objects as before is the same object as before.
   * @param time when the project last changed, ms
   */
  compile(time: number): CompiledRuleset;
};

type Changes<V> = Map<string, V | undefined>;
type SpecChanges = { gates: Changes<Spec>; configs: Changes<Spec>; layers: Changes<Spec> };

const EMPTY: Omit<CompiledRuleset, "time" | "defaultEnvironment"> = {
  gates: new SpecList(),
  configs: new SpecList(),
  layers: new SpecList(),
  experimentsOnLayers: new OrderedChunks(),
  idLists: [],
  paramStores: new OrderedChunks(),
  prompts: new OrderedChunks(),
};

/** A scope that is not requested while this many nodes change is recompiled as a whole. */
const MAX_AFFECTED = 10_000;

/** Compiles a project for the keys of one scope, again and again as the project changes. */
export function createCompiler(state: ProjectState, scope: Pick<KeyScope, "environments" | "targetApps">): Compiler {
  const reach = toReach(scope);
  const isLimited = reach.targetApps.length > 0;
  const specs = createSpecs(reach);
  const toParamStore = memoize(paramStoreEntry);
  const toPrompt = memoize(promptEntry);
  const groupConditions = new Counted<GroupCondition>();
  const idLists = new Counted<true>();
  let needed = new Map<string, Node>();
  let compiled: typeof EMPTY = { ...EMPTY, gates: new SpecList(), configs: new SpecList(), layers: new SpecList() };
  let affected: Affected = { nodes: allNodes(state), isRewired: true };

  return {
    affect({ nodes, isRewired }) {
      affected.nodes.addAll(nodes);
      affected.isRewired ||= isRewired;
      return affected.nodes.size <= MAX_AFFECTED;
    },

    compile(time) {
      const { nodes, isRewired } = affected;
      affected = { nodes: new NodeSet(), isRewired: false };
      if (isLimited && isRewired) selectAgain(nodes);
      const assembly = createAssembly(state, specs, (node) => !isLimited || needed.has(keyOf(node)));
      const { gates, configs, layers } = specChanges(nodes, assembly);
      compiled = {
        gates: compiled.gates.patched(gates),
        configs: compiled.configs.patched(configs),
        layers: compiled.layers.patched(layers),
        experimentsOnLayers: compiled.experimentsOnLayers.patched(experimentsOnLayers(nodes, assembly)),
        idLists: changedLists(gates, configs) ? idLists.names().sort() : compiled.idLists,
        paramStores: compiled.paramStores.patched(paramStores(nodes, assembly)),
        prompts: compiled.prompts.patched(prompts(nodes, assembly)),
      };
      return { time, ...compiled, defaultEnvironment: defaultEnvironment(state.project.environments, reach) };
    },
  };

  /** Adds what is selected now and was not, or the other way round. */
  function selectAgain(nodes: NodeSet): void {
    const before = needed;
    needed = select(state, reach);
    for (const [key, node] of before) if (!needed.has(key)) nodes.addAll(state.around(node));
    for (const [key, node] of needed) if (!before.has(key)) nodes.addAll(state.around(node));
  }

  /** By the place of each spec in its list. Those that are the same object as before are left out. */
  function specChanges(nodes: NodeSet, assembly: Assembly): SpecChanges {
    const changes: SpecChanges = { gates: new Map(), configs: new Map(), layers: new Map() };
    const put = (list: keyof SpecChanges, place: string, spec: Spec | undefined) => {
      if (spec !== compiled[list].ordered.get(place)) changes[list].set(place, spec);
    };
    for (const id of nodes.idsOf("gates")) put("gates", `0 ${id}`, assembly.gate(id));
    for (const id of nodes.idsOf("holdouts")) put("gates", `1 ${id}`, assembly.holdout(id));
    for (const id of nodes.idsOf("segments")) put("gates", `2 ${id}`, assembly.segment(id));
    for (const id of nodes.idsOf("experiments")) put("gates", `3 ${id}`, assembly.inlineTargeting(id));
    for (const id of nodes.idsOf("dynamicConfigs")) put("configs", `0 ${id}`, assembly.dynamicConfig(id));
    for (const id of nodes.idsOf("experiments")) put("configs", `1 ${id}`, assembly.experiment(id));
    for (const id of nodes.idsOf("layers")) put("layers", id, assembly.layer(id));
    for (const name of affectedGroups(nodes, changes.configs, assembly)) {
      const given = groupConditions.get(name);
      put("gates", `4 ${name}`, given && specs.experimentGroup(given, assembly.experiment(given.field ?? "")));
    }
    return changes;
  }

  /** The names of the gates that stand for conditions: those that come or go, and those of experiments that changed. */
  function affectedGroups(nodes: NodeSet, configs: Changes<Spec>, assembly: Assembly): Set<string> {
    const names = new Set<string>();
    for (const kind of ["gates", "segments", "dynamicConfigs", "experiments"] as const) {
      for (const id of nodes.idsOf(kind)) {
        const node = { kind, id };
        for (const name of groupConditions.set(keyOf(node), assembly.groupConditions(node))) names.add(name);
      }
    }
    const changed = new Set([...configs.keys()].map((place) => place.slice(2)));
    for (const name of changed.size > 0 ? groupConditions.names() : []) {
      if (changed.has(groupConditions.get(name)?.field ?? "")) names.add(name);
    }
    return names;
  }

  function experimentsOnLayers(nodes: NodeSet, assembly: Assembly): Changes<readonly string[]> {
    const changes: Changes<readonly string[]> = new Map();
    for (const id of nodes.idsOf("layers")) {
      const ids = assembly.entity("layers", id) && assembly.onLayer(id).map((experiment) => experiment.id);
      if (ids?.join("\n") !== compiled.experimentsOnLayers.get(id)?.join("\n")) changes.set(id, ids);
    }
    return changes;
  }

  /** Whether there may be others than before. */
  function changedLists(...changes: Changes<Spec>[]): boolean {
    let isChanged = false;
    for (const [index, specs] of changes.entries()) {
      for (const [place, spec] of specs) if (idLists.set(`${index} ${place}`, listsOf(spec)).length > 0) isChanged = true;
    }
    return isChanged;
  }

  function paramStores(nodes: NodeSet, assembly: Assembly): Changes<ParamStore> {
    const entry = (id: string) => {
      const store = assembly.entity("paramStores", id);
      return store && toParamStore(store);
    };
    return new Map([...nodes.idsOf("paramStores")].map((id) => [id, entry(id)]));
  }

  function prompts(nodes: NodeSet, assembly: Assembly): Changes<object> {
    const entry = (id: string) => {
      const prompt = assembly.entity("prompts", id);
      return prompt && toPrompt(prompt);
    };
    return new Map([...nodes.idsOf("prompts")].map((id) => [id, entry(id)]));
  }
}

/** The names of the lists that a spec's conditions look into. */
function listsOf(spec: Spec | undefined): Map<string, true> {
  const names = new Map<string, true>();
  for (const { conditions } of spec?.rules ?? []) {
    for (const { operator, targetValue } of conditions) {
      if (operator?.endsWith("in_segment_list")) names.set(String(targetValue), true);
    }
  }
  return names;
}
