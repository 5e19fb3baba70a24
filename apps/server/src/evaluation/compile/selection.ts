import { listDependencies } from "./dependencies.ts";
import { isArchived, KINDS, listTargetApps } from "./evaluated-entities.ts";
import { type Node, toKey } from "./node.ts";
import type { ProjectState } from "./project-state.ts";
import type { RulesetScope } from "./ruleset-scope.ts";

/**
 * The nodes that a key limited to target apps gets: those in use that are for one of the apps or for all, and everything that they depend
 * on.
 */
export function select({ project, activeHoldouts }: ProjectState, { targetApps }: RulesetScope): Map<string, Node> {
  const apps = new Set(targetApps);
  const waiting: Node[] = KINDS.flatMap((kind) =>
    [...project[kind].values()]
      .filter((entity) => !isArchived(kind, entity) && isFor(listTargetApps(entity), apps))
      .map(({ id }) => ({ kind, id })),
  );
  const needed = new Map<string, Node>();
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (needed.has(toKey(node))) continue;
    needed.set(toKey(node), node);
    const { kind, id } = node;
    const holders = kind === "gates" || kind === "experiments" || kind === "layers" ? activeHoldouts.of(kind, id) : [];
    for (const dependency of [...listDependencies(project, node), ...holders]) waiting.push(dependency);
  }
  return needed;
}

function isFor(own: readonly string[], apps: ReadonlySet<string>): boolean {
  return own.length === 0 || own.some((app) => apps.has(app));
}
