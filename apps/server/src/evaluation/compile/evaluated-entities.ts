import type { EvaluatedProject } from "../../console/evaluated-project.ts";

/** The entities of a project that are evaluated, by kind. */
export type Entities = {
  [K in Kind]: EvaluatedProject[K] extends ReadonlyMap<string, infer Entity> ? Entity : never;
};

export type Kind =
  | "gates"
  | "autotunes"
  | "dynamicConfigs"
  | "experiments"
  | "layers"
  | "segments"
  | "holdouts"
  | "paramStores"
  | "prompts";

export const KINDS = [
  "gates",
  "autotunes",
  "dynamicConfigs",
  "experiments",
  "layers",
  "segments",
  "holdouts",
  "paramStores",
  "prompts",
] as const satisfies Kind[];

type AnyEntity = { id: string; status?: string; type?: string; isEnabled?: boolean };

/** Whether an entity is archived; rulesets leave these out. For segments, `isEnabled` tells. */
export function isArchived(kind: Kind, entity: AnyEntity): boolean {
  if (kind === "segments") return entity.isEnabled === false;
  return entity.status?.toLowerCase() === "archived";
}

/** The target apps that see an entity. An empty list means all. */
export function listTargetApps(entity: { targetApps?: string[]; targetAppIDs?: string[] }): readonly string[] {
  return entity.targetApps ?? entity.targetAppIDs ?? [];
}
