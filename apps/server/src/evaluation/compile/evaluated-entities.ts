import type { EvaluatedProject } from "./evaluated-project.ts";

/** The entities of a project that are evaluated, by kind. */
export type Entities = {
  [K in Kind]: EvaluatedProject[K] extends ReadonlyMap<string, infer Entity> ? Entity : never;
};

export type Kind = "gates" | "dynamicConfigs" | "experiments" | "layers" | "segments" | "holdouts" | "paramStores" | "prompts";

export const KINDS = [
  "gates",
  "dynamicConfigs",
  "experiments",
  "layers",
  "segments",
  "holdouts",
  "paramStores",
  "prompts",
] as const satisfies Kind[];

/** What is evaluated of each kind, by id. */
export type Selection = { [K in Kind]: Entities[K][] };

type AnyEntity = { id: string; status?: string; type?: string; isEnabled?: boolean };

/** Whether an entity is archived, which leaves it out of rulesets. A segment is out of use exactly while it is archived. */
export function isArchived(kind: Kind, entity: AnyEntity): boolean {
  if (kind === "segments") return entity.isEnabled === false;
  return entity.status?.toLowerCase() === "archived";
}

/** The target apps that see an entity; none means all. */
export function targetAppsOf(entity: { targetApps?: string[]; targetAppIDs?: string[] }): readonly string[] {
  return entity.targetApps ?? entity.targetAppIDs ?? [];
}
