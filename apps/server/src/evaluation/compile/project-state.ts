import { dependenciesOf } from "./dependencies.ts";
import { isArchived, KINDS, type Kind, targetAppsOf } from "./evaluated-entities.ts";
import type { EvaluatedProject } from "./evaluated-project.ts";
import { type Holdings, heldDifferently, isHoldingsMadeFrom, toHoldings } from "./holdings.ts";
import { MultiMap } from "./multi-map.ts";
import { type Node, NodeSet } from "./node.ts";

/** Where entities, overrides and lists of ids are in a project. */
export type Place = Exclude<keyof EvaluatedProject, "environments">;

/** What is at a place from now on; undefined where nothing is. */
export type Change = { place: Place; id: string; value: object | undefined };

/** What has to be compiled again after changes. */
export type Affected = {
  nodes: NodeSet;
  /** What depends on what may be different, or who sees what. */
  isRewired: boolean;
};

/** A project that changes, with what finds out whom a change affects. */
export type ProjectState = {
  readonly project: EvaluatedProject;
  readonly holdings: Holdings;
  experimentsOn(layerID: string): ReadonlySet<string>;
  /** What changes with a node, the node itself among it. */
  around(node: Node): Node[];
  setEnvironments(environments: EvaluatedProject["environments"]): void;
  /** Takes changes over, in the time that they take and not the project. */
  apply(changes: readonly Change[]): Affected;
};

/** The kind whose spec is compiled from the objects at each place. */
const SPEC_KIND_BY_PLACE: Record<Place, Kind> = {
  gates: "gates",
  gateOverrides: "gates",
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

type Mutable = { [P in Place]: Map<string, object> } & Pick<EvaluatedProject, "environments">;
type Held = { holdoutIDs?: readonly string[]; layerID?: string | null };

/** @param changes what makes the project, from nothing */
export function createProjectState(environments: EvaluatedProject["environments"], changes: readonly Change[] = []): ProjectState {
  const maps = Object.fromEntries(Object.keys(SPEC_KIND_BY_PLACE).map((place) => [place, new Map()])) as {
    [P in Place]: Map<string, object>;
  };
  const project: Mutable = { environments, ...maps };
  const view = project as unknown as EvaluatedProject;
  const onLayer = new MultiMap<string, string>();
  const naming = HOLDABLE_KINDS.map((kind) => ({ kind, byHoldout: new MultiMap<string, string>() }));
  for (const { place, id, value } of changes) put(place, id, value);
  let holdings = toHoldings(view);

  return {
    project: view,
    get holdings() {
      return holdings;
    },
    experimentsOn: (layerID) => onLayer.of(layerID),
    around,
    setEnvironments(given) {
      project.environments = given;
    },

    apply(changes) {
      const nodes = new NodeSet();
      let isRewired = false;
      let isHoldingsStale = false;
      for (const { place, id, value } of changes) {
        const node = { kind: SPEC_KIND_BY_PLACE[place], id };
        const before = wiringOf(node);
        isHoldingsStale ||= isHoldingsMadeFrom(holdings, view, node);
        nodes.addAll(around(node));
        put(place, id, value);
        nodes.addAll(around(node));
        const isDifferent = wiringOf(node) !== before;
        isRewired ||= isDifferent;
      }
      if (isHoldingsStale) {
        const before = holdings;
        holdings = toHoldings(view);
        for (const node of heldDifferently(before, holdings, namingHoldout, everyNode)) {
          isRewired = true;
          nodes.addAll(around(node));
        }
      }
      return { nodes, isRewired };
    },
  };

  function put(place: Place, id: string, value: object | undefined): void {
    const map = project[place];
    index(place, id, map.get(id) as Held | undefined, "delete");
    if (value === undefined) map.delete(id);
    else map.set(id, value);
    index(place, id, value as Held | undefined, "add");
  }

  function index(place: Place, id: string, entity: Held | undefined, change: "add" | "delete"): void {
    if (place === "experiments" && entity?.layerID) onLayer[change](entity.layerID, id);
    const named = naming.find(({ kind }) => kind === place);
    for (const holdoutID of (named && entity?.holdoutIDs) ?? []) named?.byHoldout[change](holdoutID, id);
  }

  function around(node: Node): Node[] {
    const { kind, id } = node;
    switch (kind) {
      case "gates":
        // A holdout gives its name up to a gate.
        return view.holdouts.has(id) ? [node, { kind: "holdouts", id }] : [node];
      case "dynamicConfigs":
        return [node, { kind: "experiments", id }];
      case "experiments": {
        const { layerID } = view.experiments.get(id) ?? {};
        // Overrides of a layer that name no experiment may come to mean another.
        const others = layerID && view.layerOverrides.has(layerID) ? experimentsOn(layerID) : [];
        return [node, { kind: "dynamicConfigs", id }, ...(layerID ? [{ kind: "layers" as const, id: layerID }] : []), ...others];
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

  /** What of a node decides what is selected for keys that are limited to target apps. */
  function wiringOf(node: Node): string {
    const entity = view[node.kind].get(node.id);
    if (!entity) return "";
    const held = (entity as Held).holdoutIDs ?? [];
    return JSON.stringify([isArchived(node.kind, entity), targetAppsOf(entity), held, dependenciesOf(view, node)]);
  }

  function namingHoldout(holdoutID: string): Node[] {
    return naming.flatMap(({ kind, byHoldout }) => [...byHoldout.of(holdoutID)].map((id) => ({ kind, id })));
  }

  function everyNode(): Node[] {
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
