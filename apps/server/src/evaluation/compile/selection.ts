import { dependenciesOf, keyOf, type Node } from "./dependencies.ts";
import { isArchived, KINDS, type Kind, type Selection, targetAppsOf } from "./evaluated-entities.ts";
import type { EvaluatedProject } from "./evaluated-project.ts";
import type { Holdings } from "./holdings.ts";
import type { Reach } from "./reach.ts";

/**
 * What a key gets of a project, each kind in the order of ids: what is in use and for one of the key's target apps or for all, and whatever
 * that depends on.
 */
export function select(project: EvaluatedProject, holdings: Holdings, reach: Reach): Selection {
  const needed = reach.targetApps.length > 0 ? neededBy(project, holdings, reach) : undefined;
  const ofKind = (kind: Kind) =>
    [...project[kind].values()]
      .filter((entity) => !isArchived(kind, entity) && (!needed || needed.has(keyOf({ kind, id: entity.id }))))
      .sort((a, b) => (a.id < b.id ? -1 : 1));
  return Object.fromEntries(KINDS.map((kind) => [kind, ofKind(kind)])) as Selection;
}

function neededBy(project: EvaluatedProject, holdings: Holdings, { targetApps }: Reach): Set<string> {
  const apps = new Set(targetApps);
  const waiting: Node[] = KINDS.flatMap((kind) =>
    [...project[kind].values()]
      .filter((entity) => !isArchived(kind, entity) && isFor(targetAppsOf(entity), apps))
      .map(({ id }) => ({ kind, id })),
  );
  const needed = new Set<string>();
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (needed.has(keyOf(node))) continue;
    needed.add(keyOf(node));
    const { kind, id } = node;
    const holders = kind === "gates" || kind === "experiments" || kind === "layers" ? holdings.of(kind, id) : [];
    waiting.push(...dependenciesOf(project, node), ...holders);
  }
  return needed;
}

function isFor(own: readonly string[], apps: ReadonlySet<string>): boolean {
  return own.length === 0 || own.some((app) => apps.has(app));
}
