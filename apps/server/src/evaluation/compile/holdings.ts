import { dependenciesOf, keyOf, type Node } from "./dependencies.ts";
import type { EvaluatedProject } from "./evaluated-project.ts";
import { holdoutName } from "./names.ts";

/** By which holdouts something is held, by their ids and by their names in the ruleset. */
export type Holdings = { of(kind: "gates" | "experiments" | "layers", id: string): Node[]; names(holdouts: readonly Node[]): string[] };

/**
 * Who holds what: holdouts that are enabled, those that an entity names and those that are global. A holdout does not hold what it depends
 * on, and a global one nothing that any holdout depends on: evaluating them would never end.
 */
export function toHoldings(project: EvaluatedProject): Holdings {
  const enabled = [...project.holdouts.values()].filter(({ isEnabled }) => isEnabled).sort((a, b) => (a.id < b.id ? -1 : 1));
  const reached = new Map(enabled.map(({ id }) => [id, reachedBy(project, id)]));
  const reachedByAny = new Set([...reached.values()].flatMap((keys) => [...keys]));
  return {
    of(kind, id) {
      if (enabled.length === 0) return [];
      const key = keyOf({ kind, id });
      const named = project[kind].get(id)?.holdoutIDs ?? [];
      const holding = enabled.filter((holdout) =>
        named.includes(holdout.id) ? !reached.get(holdout.id)?.has(key) : holdout.isGlobal && !reachedByAny.has(key),
      );
      return holding.map((holdout) => ({ kind: "holdouts", id: holdout.id }));
    },
    names: (holdouts) => holdouts.map(({ id }) => holdoutName(project, id)),
  };
}

/** What is evaluated when a holdout is, by conditions and by holdouts that are named. */
function reachedBy(project: EvaluatedProject, holdoutID: string): Set<string> {
  const reached = new Set<string>();
  const waiting = dependenciesOf(project, { kind: "holdouts", id: holdoutID });
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (reached.has(keyOf(node))) continue;
    reached.add(keyOf(node));
    const { kind, id } = node;
    const holders = kind === "gates" || kind === "experiments" || kind === "layers" ? (project[kind].get(id)?.holdoutIDs ?? []) : [];
    const enabled = holders.filter((holder) => project.holdouts.get(holder)?.isEnabled);
    waiting.push(...dependenciesOf(project, node), ...enabled.map((holder) => ({ kind: "holdouts" as const, id: holder })));
  }
  return reached;
}
