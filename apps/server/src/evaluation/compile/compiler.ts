import type { ParamStore, Spec } from "@gatehouse/evaluation";
import type { KeyScope } from "../../common/context.ts";
import { type Assembly, createAssembly } from "./assemble.ts";
import type { CompiledRuleset } from "./compiled-ruleset.ts";
import { paramStoreEntry } from "./entries.ts";
import { defaultEnvironment } from "./environments.ts";
import type { GroupCondition } from "./experiment-group-gate.ts";
import { memoize } from "./memoize.ts";
import { createSpecs } from "./memoized-specs.ts";
import { type Node, NodeSet, toKey } from "./node.ts";
import { OrderedChunks } from "./ordered-chunks.ts";
import { type Affected, allNodes, type ProjectState } from "./project-state.ts";
import { type CompiledPrompt, promptEntry } from "./prompt-entry.ts";
import { ReferencedNames } from "./referenced-names.ts";
import { toRulesetScope } from "./ruleset-scope.ts";
import { select } from "./selection.ts";
import { SpecList } from "./spec-list.ts";

export type Compiler = {
  /** Adds to the next `compile`'s updates. Returns false if that exceeds MAX_AFFECTED: a new compiler is cheaper then. */
  affect(affected: Affected): boolean;
  /**
   * Compiles the project for keys with the scope: everything the first time, and only affected nodes later. Equal projects give equal
   * rulesets, regardless of their histories. Specs whose inputs are the same objects are the same objects.
   * @param time when the project last changed, ms since the epoch
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

/** A scope that is not requested while more nodes than this change is recompiled as a whole. */
const MAX_AFFECTED = 10_000;

/** An incremental compiler of one project, for the keys of one scope. */
export function createCompiler(state: ProjectState, scope: Pick<KeyScope, "environments" | "targetApps">): Compiler {
  const reach = toRulesetScope(scope);
  const isLimited = reach.targetApps.length > 0;
  const specs = createSpecs(reach);
  const toParamStore = memoize(paramStoreEntry);
  const toPrompt = memoize(promptEntry);
  const groupConditions = new ReferencedNames<GroupCondition>();
  const releaseGates = new ReferencedNames<Spec>();
  const idLists = new ReferencedNames<true>();
  let needed = new Map<string, Node>();
  let compiled: typeof EMPTY = { ...EMPTY, gates: new SpecList(), configs: new SpecList(), layers: new SpecList() };
  let affected: Affected = { nodes: allNodes(state), mustReselect: true };

  return {
    affect({ nodes, mustReselect }) {
      affected.nodes.addAll(nodes);
      affected.mustReselect ||= mustReselect;
      return affected.nodes.size <= MAX_AFFECTED;
    },

    compile(time) {
      const { nodes, mustReselect } = affected;
      affected = { nodes: new NodeSet(), mustReselect: false };
      if (isLimited && mustReselect) reselect(nodes);
      const assembly = createAssembly(state, specs, (node) => !isLimited || needed.has(toKey(node)));
      const { gates, configs, layers } = specChanges(nodes, assembly);
      compiled = {
        gates: compiled.gates.patched(gates),
        configs: compiled.configs.patched(configs),
        layers: compiled.layers.patched(layers),
        experimentsOnLayers: compiled.experimentsOnLayers.patched(experimentsOnLayers(nodes, assembly)),
        idLists: mayChangeLists(gates, configs) ? idLists.names().sort() : compiled.idLists,
        paramStores: compiled.paramStores.patched(paramStores(nodes, assembly)),
        prompts: compiled.prompts.patched(prompts(nodes, assembly)),
      };
      return { time, ...compiled, defaultEnvironment: defaultEnvironment(state.project.environments, reach) };
    },
  };

  /** Selects again, and adds the nodes that are newly selected or no longer selected. */
  function reselect(nodes: NodeSet): void {
    const before = needed;
    needed = select(state, reach);
    for (const [key, node] of before) if (!needed.has(key)) nodes.addAll(state.affectedBy(node));
    for (const [key, node] of needed) if (!before.has(key)) nodes.addAll(state.affectedBy(node));
  }

  /** The specs that changed, by their sort key. A spec that is the same object as before did not change. */
  function specChanges(nodes: NodeSet, assembly: Assembly): SpecChanges {
    const changes: SpecChanges = { gates: new Map(), configs: new Map(), layers: new Map() };
    const put = (list: keyof SpecChanges, sortKey: string, spec: Spec | undefined) => {
      if (spec !== compiled[list].ordered.get(sortKey)) changes[list].set(sortKey, spec);
    };
    for (const id of nodes.listIDs("gates")) put("gates", `0 ${id}`, assembly.gate(id));
    for (const id of nodes.listIDs("holdouts")) put("gates", `1 ${id}`, assembly.holdout(id));
    for (const id of nodes.listIDs("segments")) put("gates", `2 ${id}`, assembly.segment(id));
    for (const id of nodes.listIDs("experiments")) put("gates", `3 ${id}`, assembly.inlineTargeting(id));
    for (const id of nodes.listIDs("dynamicConfigs")) put("configs", `0 ${id}`, assembly.dynamicConfig(id));
    for (const id of nodes.listIDs("experiments")) put("configs", `1 ${id}`, assembly.experiment(id));
    for (const id of nodes.listIDs("autotunes")) put("configs", `2 ${id}`, assembly.autotune(id));
    for (const id of nodes.listIDs("layers")) put("layers", id, assembly.layer(id));
    for (const name of affectedGroups(nodes, changes.configs, assembly)) {
      const given = groupConditions.get(name);
      put("gates", `4 ${name}`, given && specs.experimentGroup(given, assembly.experiment(given.field ?? "")));
    }
    for (const kind of ["gates", "dynamicConfigs"] as const) {
      for (const id of nodes.listIDs(kind)) {
        const node = { kind, id };
        for (const name of releaseGates.set(toKey(node), assembly.releaseGates(node))) put("gates", `5 ${name}`, releaseGates.get(name));
      }
    }
    return changes;
  }

  /** The names of the gates for experiment_group conditions that appear, disappear or belong to a changed experiment. */
  function affectedGroups(nodes: NodeSet, configs: Changes<Spec>, assembly: Assembly): Set<string> {
    const names = new Set<string>();
    for (const kind of ["gates", "segments", "dynamicConfigs", "experiments"] as const) {
      for (const id of nodes.listIDs(kind)) {
        const node = { kind, id };
        for (const name of groupConditions.set(toKey(node), assembly.groupConditions(node))) names.add(name);
      }
    }
    const changed = new Set([...configs.keys()].map((sortKey) => sortKey.slice(2)));
    for (const name of changed.size > 0 ? groupConditions.names() : []) {
      if (changed.has(groupConditions.get(name)?.field ?? "")) names.add(name);
    }
    return names;
  }

  function experimentsOnLayers(nodes: NodeSet, assembly: Assembly): Changes<readonly string[]> {
    const changes: Changes<readonly string[]> = new Map();
    for (const id of nodes.listIDs("layers")) {
      const ids = assembly.entity("layers", id) && assembly.onLayer(id).map((experiment) => experiment.id);
      if (ids?.join("\n") !== compiled.experimentsOnLayers.get(id)?.join("\n")) changes.set(id, ids);
    }
    return changes;
  }

  /** Whether the set of id lists may have changed. */
  function mayChangeLists(...changes: Changes<Spec>[]): boolean {
    let isChanged = false;
    for (const [index, specs] of changes.entries()) {
      for (const [sortKey, spec] of specs) if (idLists.set(`${index} ${sortKey}`, findListNames(spec)).length > 0) isChanged = true;
    }
    return isChanged;
  }

  function paramStores(nodes: NodeSet, assembly: Assembly): Changes<ParamStore> {
    const entry = (id: string) => {
      const store = assembly.entity("paramStores", id);
      return store && toParamStore(store);
    };
    return new Map([...nodes.listIDs("paramStores")].map((id) => [id, entry(id)]));
  }

  function prompts(nodes: NodeSet, assembly: Assembly): Changes<CompiledPrompt> {
    const entry = (id: string) => {
      const prompt = assembly.entity("prompts", id);
      return prompt && toPrompt(prompt);
    };
    return new Map([...nodes.listIDs("prompts")].map((id) => [id, entry(id)]));
  }
}

/** The names of the id lists that a spec's conditions read. */
function findListNames(spec: Spec | undefined): Map<string, true> {
  const names = new Map<string, true>();
  for (const { conditions } of spec?.rules ?? []) {
    for (const { operator, targetValue } of conditions) {
      if (operator?.endsWith("in_segment_list")) names.set(String(targetValue), true);
    }
  }
  return names;
}
