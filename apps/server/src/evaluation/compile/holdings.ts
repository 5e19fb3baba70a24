import { dependenciesOf } from "./dependencies.ts";
import type { EvaluatedProject } from "./evaluated-project.ts";
import { holdoutName } from "./names.ts";
import { keyOf, type Node } from "./node.ts";

/** By which holdouts something is held, by their ids and by their names in the ruleset. */
export type Holdings = {
  of(kind: "gates" | "experiments" | "layers", id: string): Node[];
  names(holdouts: readonly Node[]): string[];
  /** The holdouts that hold, by id. */
  holding: ReadonlyMap<string, Holding>;
  /** The keys of all that is evaluated when any of them is. */
  reachedByAny: ReadonlyMap<string, Node>;
};

type Holding = { id: string; name: string; isGlobal: boolean; reached: ReadonlyMap<string, Node> };

/**
 * Who holds what: holdouts that are enabled, those that an entity names and those that are global. A holdout does not hold what it depends
 * on, and a global one nothing that any holdout depends on: evaluating them would never end.
 */
export function toHoldings(project: EvaluatedProject): Holdings {
  const enabled = [...project.holdouts.values()].filter(({ isEnabled }) => isEnabled).sort((a, b) => (a.id < b.id ? -1 : 1));
  const holding = new Map<string, Holding>(
    enabled.map(({ id, isGlobal }) => [id, { id, isGlobal, name: holdoutName(project, id), reached: reachedBy(project, id) }]),
  );
  const reachedByAny = new Map([...holding.values()].flatMap(({ reached }) => [...reached]));
  return {
    holding,
    reachedByAny,
    of(kind, id) {
      if (enabled.length === 0) return [];
      const key = keyOf({ kind, id });
      const named = project[kind].get(id)?.holdoutIDs ?? [];
      const holders = [...holding.values()].filter((holdout) =>
        named.includes(holdout.id) ? !holdout.reached.has(key) : holdout.isGlobal && !reachedByAny.has(key),
      );
      return holders.map((holdout) => ({ kind: "holdouts", id: holdout.id }));
    },
    names: (holdouts) => holdouts.map(({ id }) => holdoutName(project, id)),
  };
}

/** Whether a change of the node, which is yet to come or has come, may change who holds what. */
export function isHoldingsMadeFrom({ reachedByAny }: Holdings, { holdouts }: EvaluatedProject, node: Node): boolean {
  return node.kind === "holdouts" || reachedByAny.has(keyOf(node)) || (node.kind === "gates" && holdouts.has(node.id));
}

/**
 * What is held by others than before.
 * @param naming what names a holdout
 * @param all all that can be held
 */
export function heldDifferently(before: Holdings, after: Holdings, naming: (holdoutID: string) => Node[], all: () => Node[]): Node[] {
  const changed = [...new Set([...before.holding.keys(), ...after.holding.keys()])].filter(
    (id) => !isSame(before.holding.get(id), after.holding.get(id)),
  );
  const globals = (holdings: Holdings) =>
    [...holdings.holding.values()].filter(({ isGlobal }) => isGlobal).map(({ id, name }) => `${id} ${name}`);
  if (globals(before).join() !== globals(after).join()) return all();
  const unreached = globals(after).length > 0 ? difference(before.reachedByAny, after.reachedByAny) : [];
  return [...changed.flatMap(naming), ...unreached];
}

function isSame(before: Holding | undefined, after: Holding | undefined): boolean {
  return before?.name === after?.name && difference(before?.reached ?? NONE, after?.reached ?? NONE).length === 0;
}

const NONE: ReadonlyMap<string, Node> = new Map();

/** What is in one of the two. */
function difference(one: ReadonlyMap<string, Node>, other: ReadonlyMap<string, Node>): Node[] {
  return [...[...one].filter(([key]) => !other.has(key)), ...[...other].filter(([key]) => !one.has(key))].map(([, node]) => node);
}

/** What is evaluated when a holdout is, by conditions and by holdouts that are named. */
function reachedBy(project: EvaluatedProject, holdoutID: string): Map<string, Node> {
  const reached = new Map<string, Node>();
  const waiting = dependenciesOf(project, { kind: "holdouts", id: holdoutID });
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (reached.has(keyOf(node))) continue;
    reached.set(keyOf(node), node);
    const { kind, id } = node;
    const holders = kind === "gates" || kind === "experiments" || kind === "layers" ? (project[kind].get(id)?.holdoutIDs ?? []) : [];
    const enabled = holders.filter((holder) => project.holdouts.get(holder)?.isEnabled);
    for (const dependency of dependenciesOf(project, node)) waiting.push(dependency);
    for (const holder of enabled) waiting.push({ kind: "holdouts", id: holder });
  }
  return reached;
}
