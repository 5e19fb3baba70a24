import type { EvaluatedProject } from "../../console/evaluated-project.ts";
import { listDependencies } from "./dependencies.ts";
import { holdoutName } from "./names.ts";
import { type Node, toKey } from "./node.ts";

/** The enabled holdouts of a project, and which entities they hold. */
export type ActiveHoldouts = {
  of(kind: "gates" | "experiments" | "layers", id: string): Node[];
  names(holdouts: readonly Node[]): string[];
  /** The holdouts that hold an entity, sorted by id. */
  byID: ReadonlyMap<string, ActiveHoldout>;
  /** The nodes that an evaluation of any of the holdouts evaluates, by key. */
  reachableFromAny: ReadonlyMap<string, Node>;
};

type ActiveHoldout = { id: string; name: string; isGlobal: boolean; reachable: ReadonlyMap<string, Node> };

/**
 * An entity is held by the enabled holdouts that it references, and by the global ones. A holdout does not hold its dependencies, and a
 * global one holds no dependency of any holdout: evaluating such a cycle would never end.
 */
export function toActiveHoldouts(project: EvaluatedProject): ActiveHoldouts {
  const enabled = [...project.holdouts.values()].filter(({ isEnabled }) => isEnabled).sort((a, b) => (a.id < b.id ? -1 : 1));
  const byID = new Map<string, ActiveHoldout>(
    enabled.map(({ id, isGlobal }) => [id, { id, isGlobal, name: holdoutName(project, id), reachable: reachableFrom(project, id) }]),
  );
  const reachableFromAny = new Map([...byID.values()].flatMap(({ reachable }) => [...reachable]));
  return {
    byID,
    reachableFromAny,
    of(kind, id) {
      if (enabled.length === 0) return [];
      const key = toKey({ kind, id });
      const named = project[kind].get(id)?.holdoutIDs ?? [];
      const holders = [...byID.values()].filter((holdout) =>
        named.includes(holdout.id) ? !holdout.reachable.has(key) : holdout.isGlobal && !reachableFromAny.has(key),
      );
      return holders.map((holdout) => ({ kind: "holdouts", id: holdout.id }));
    },
    names: (holdouts) => holdouts.map(({ id }) => holdoutName(project, id)),
  };
}

/** Whether a change of the node, before or after it is applied, may change the held entities. */
export function mayChangeHeldEntities({ reachableFromAny }: ActiveHoldouts, { holdouts }: EvaluatedProject, node: Node): boolean {
  return node.kind === "holdouts" || reachableFromAny.has(toKey(node)) || (node.kind === "gates" && holdouts.has(node.id));
}

/**
 * The nodes that other holdouts hold than before.
 * @param naming the nodes that reference a holdout
 * @param all every node that holdouts can hold
 */
export function heldDifferently(
  before: ActiveHoldouts,
  after: ActiveHoldouts,
  naming: (holdoutID: string) => Node[],
  all: () => Node[],
): Node[] {
  const changed = [...new Set([...before.byID.keys(), ...after.byID.keys()])].filter(
    (id) => !isSame(before.byID.get(id), after.byID.get(id)),
  );
  const globals = (holdouts: ActiveHoldouts) =>
    [...holdouts.byID.values()].filter(({ isGlobal }) => isGlobal).map(({ id, name }) => `${id} ${name}`);
  if (globals(before).join() !== globals(after).join()) return all();
  const unreachable = globals(after).length > 0 ? difference(before.reachableFromAny, after.reachableFromAny) : [];
  return [...changed.flatMap(naming), ...unreachable];
}

function isSame(before: ActiveHoldout | undefined, after: ActiveHoldout | undefined): boolean {
  return before?.name === after?.name && difference(before?.reachable ?? NONE, after?.reachable ?? NONE).length === 0;
}

const NONE: ReadonlyMap<string, Node> = new Map();

/** The nodes that are in exactly one of the maps. */
function difference(one: ReadonlyMap<string, Node>, other: ReadonlyMap<string, Node>): Node[] {
  return [...[...one].filter(([key]) => !other.has(key)), ...[...other].filter(([key]) => !one.has(key))].map(([, node]) => node);
}

/** The nodes that an evaluation of a holdout evaluates, through conditions and through other holdouts. */
function reachableFrom(project: EvaluatedProject, holdoutID: string): Map<string, Node> {
  const reachable = new Map<string, Node>();
  const waiting = listDependencies(project, { kind: "holdouts", id: holdoutID });
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (reachable.has(toKey(node))) continue;
    reachable.set(toKey(node), node);
    const { kind, id } = node;
    const holders = kind === "gates" || kind === "experiments" || kind === "layers" ? (project[kind].get(id)?.holdoutIDs ?? []) : [];
    const enabled = holders.filter((holder) => project.holdouts.get(holder)?.isEnabled);
    for (const dependency of listDependencies(project, node)) waiting.push(dependency);
    for (const holder of enabled) waiting.push({ kind: "holdouts", id: holder });
  }
  return reachable;
}
