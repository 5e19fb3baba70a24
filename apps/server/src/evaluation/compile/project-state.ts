import type { EvaluatedProject } from "../../console/evaluated-project.ts";
import { type ActiveHoldouts, heldDifferently, mayChangeHeldEntities, toActiveHoldouts } from "./active-holdouts.ts";
import { listDependencies } from "./dependencies.ts";
import { isArchived, KINDS, type Kind, listTargetApps } from "./evaluated-entities.ts";
import { MultiMap } from "./multi-map.ts";
import { type Node, NodeSet } from "./node.ts";

/** The parts of a project that are maps: entities of a kind, overrides, or ids of segments. */
export type Part = Exclude<keyof EvaluatedProject, "environments">;

/** The new value of an id in a part; undefined removes it. */
export type Change = { part: Part; id: string; value: object | undefined };

/** The nodes to compile again after changes. */
export type Affected = {
  nodes: NodeSet;
  /** Whether the selection for keys that are limited to target apps may have changed. */
  mustReselect: boolean;
};

/** A project, with the indexes that find the nodes that a change affects. */
export type ProjectState = {
  readonly project: EvaluatedProject;
  readonly activeHoldouts: ActiveHoldouts;
  experimentsOn(layerID: string): ReadonlySet<string>;
  /** The nodes whose specs a change of this node affects, itself included. */
  affectedBy(node: Node): Node[];
  setEnvironments(environments: EvaluatedProject["environments"]): void;
  /** Applies changes. The cost follows the number of changes, not the size of the project. */
  apply(changes: readonly Change[]): Affected;
};

/** The kind whose specs are compiled from the values of each part. */
const SPEC_KIND_BY_PART: Record<Part, Kind> = {
  gates: "gates",
  gateOverrides: "gates",
  autotunes: "autotunes",
  autotuneWeights: "autotunes",
  dynamicConfigs: "dynamicConfigs",
  experiments: "experiments",
  experimentOverrides: "experiments",
  layers: "layers",
  layerOverrides: "layers",
  segments: "segments",
  segmentIDs: "segments",
  holdouts: "holdouts",
  holdoutOverrides: "holdouts",
  paramStores: "paramStores",
  prompts: "prompts",
};

type Mutable = { [P in Part]: Map<string, object> } & Pick<EvaluatedProject, "environments">;
type Held = { holdoutIDs?: readonly string[]; layerID?: string | null };

/** @param changes the initial content, as changes of an empty project */
export function createProjectState(environments: EvaluatedProject["environments"], changes: readonly Change[] = []): ProjectState {
  const maps = Object.fromEntries(Object.keys(SPEC_KIND_BY_PART).map((part) => [part, new Map()])) as {
    [P in Part]: Map<string, object>;
  };
  const project: Mutable = { environments, ...maps };
  const view = project as unknown as EvaluatedProject;
  const onLayer = new MultiMap<string, string>();
  const naming = HOLDABLE_KINDS.map((kind) => ({ kind, byHoldout: new MultiMap<string, string>() }));
  for (const { part, id, value } of changes) put(part, id, value);
  let activeHoldouts = toActiveHoldouts(view);

  return {
    project: view,
    get activeHoldouts() {
      return activeHoldouts;
    },
    experimentsOn: (layerID) => onLayer.of(layerID),
    affectedBy,
    setEnvironments(given) {
      project.environments = given;
    },

    apply(changes) {
      const nodes = new NodeSet();
      let mustReselect = false;
      let areHoldoutsStale = false;
      for (const { part, id, value } of changes) {
        const node = { kind: SPEC_KIND_BY_PART[part], id };
        const before = selectionInputs(node);
        areHoldoutsStale ||= mayChangeHeldEntities(activeHoldouts, view, node);
        nodes.addAll(affectedBy(node));
        put(part, id, value);
        nodes.addAll(affectedBy(node));
        const isDifferent = selectionInputs(node) !== before;
        mustReselect ||= isDifferent;
      }
      if (areHoldoutsStale) {
        const before = activeHoldouts;
        activeHoldouts = toActiveHoldouts(view);
        for (const node of heldDifferently(before, activeHoldouts, nodesReferencing, allHoldableNodes)) {
          mustReselect = true;
          nodes.addAll(affectedBy(node));
        }
      }
      return { nodes, mustReselect };
    },
  };

  function put(part: Part, id: string, value: object | undefined): void {
    const map = project[part];
    index(part, id, map.get(id) as Held | undefined, "delete");
    if (value === undefined) map.delete(id);
    else map.set(id, value);
    index(part, id, value as Held | undefined, "add");
  }

  function index(part: Part, id: string, entity: Held | undefined, change: "add" | "delete"): void {
    if (part === "experiments" && entity?.layerID) onLayer[change](entity.layerID, id);
    const named = naming.find(({ kind }) => kind === part);
    for (const holdoutID of (named && entity?.holdoutIDs) ?? []) named?.byHoldout[change](holdoutID, id);
  }

  function affectedBy(node: Node): Node[] {
    const { kind, id } = node;
    switch (kind) {
      case "gates":
        // The name of a holdout's gate depends on whether a gate has its id.
        return view.holdouts.has(id) ? [node, { kind: "holdouts", id }] : [node];
      case "dynamicConfigs":
        return [node, { kind: "experiments", id }, { kind: "autotunes", id }];
      case "experiments": {
        const { layerID } = view.experiments.get(id) ?? {};
        // Overrides of the layer that give no experiment may now apply to another one.
        const others = layerID && view.layerOverrides.has(layerID) ? experimentsOn(layerID) : [];
        const namesakes: Node[] = [
          { kind: "dynamicConfigs", id },
          { kind: "autotunes", id },
        ];
        return [node, ...namesakes, ...(layerID ? [{ kind: "layers" as const, id: layerID }] : []), ...others];
      }
      case "layers":
        return [node, ...experimentsOn(id)];
      default:
        return [node];
    }
  }

  function experimentsOn(layerID: string): Node[] {
    return [...onLayer.of(layerID)].map((id) => ({ kind: "experiments", id }));
  }

  /** The properties of a node that determine the selection for keys that are limited to target apps, as a text. */
  function selectionInputs(node: Node): string {
    const entity = view[node.kind].get(node.id);
    if (!entity) return "";
    const held = (entity as Held).holdoutIDs ?? [];
    return JSON.stringify([isArchived(node.kind, entity), listTargetApps(entity), held, listDependencies(view, node)]);
  }

  function nodesReferencing(holdoutID: string): Node[] {
    return naming.flatMap(({ kind, byHoldout }) => [...byHoldout.of(holdoutID)].map((id) => ({ kind, id })));
  }

  function allHoldableNodes(): Node[] {
    return HOLDABLE_KINDS.flatMap((kind) => [...view[kind].keys()].map((id) => ({ kind, id })));
  }
}

/** The kinds that holdouts can hold. */
const HOLDABLE_KINDS = ["gates", "experiments", "layers"] as const satisfies Kind[];

/** Every node of a project. */
export function allNodes({ project }: ProjectState): NodeSet {
  const nodes = new NodeSet();
  for (const kind of KINDS) for (const id of project[kind].keys()) nodes.add({ kind, id });
  return nodes;
}
