import { isDeepStrictEqual } from "node:util";
import type { Schema } from "@gatehouse/contract/console";
import { toCanonical } from "./canonical.ts";
import { CONFIGURED, type Configured, type ConfiguredKind, configuredType, type Entity } from "./configured-kinds.ts";

/** An entity as it is stored. `tag` is its ETag. */
export type Stored = { id: string; entity: Entity; tag: string; isArchived: boolean };

/** The entities of a project by their type. */
export type StoredProject = ReadonlyMap<string, readonly Stored[]>;

/** The entities to export: all of them, or those that meet each condition that is given. */
export type Selection = { kinds?: ConfiguredKind[] | undefined; ids?: string[] | undefined; tags?: string[] | undefined };

/** The entities of a kind that are in use, as files have them, sorted by what identifies them. */
export function listConfigured(project: StoredProject, kind: Configured): Entity[] {
  const names = teamNames(project);
  const archivedOwners = new Set(kind.ownerType && project.get(kind.ownerType)?.flatMap(({ id, isArchived }) => (isArchived ? [id] : [])));
  const entities = (project.get(kind.type) ?? []).flatMap(({ id, entity, isArchived }) => {
    if (isArchived || archivedOwners.has(id)) return [];
    if (kind.noun === null) return (entity.environments as Entity[]).map((one) => toCanonical(kind, one));
    const canonical = toCanonical(kind, kind.ownerType ? { id, ...entity } : entity);
    return isEmptyOverrides(kind, canonical) ? [] : [canonical];
  });
  const named = entities.map((entity) => withTeams(entity, (id) => names.get(id) ?? id));
  // Environments have an order of their own.
  return kind.noun === null ? named : named.toSorted((a, b) => compare(kind.identify(a) ?? "", kind.identify(b) ?? ""));
}

/** By code units, so that the order does not depend on a locale. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The configuration of the selected entities. Kinds without any are left out. */
export function toConfiguration(project: StoredProject, { kinds, ids, tags }: Selection): Schema<"Configuration"> {
  const parts = CONFIGURED.filter(({ kind }) => kinds === undefined || kinds.includes(kind)).flatMap((kind) => {
    const entities = listConfigured(project, kind).filter(
      (entity) =>
        (ids === undefined || ids.includes(kind.identify(entity) ?? "")) &&
        (tags === undefined || tags.every((tag) => ((entity.tags as string[] | undefined) ?? []).includes(tag))),
    );
    return entities.length === 0 ? [] : [[kind.kind, entities] as const];
  });
  return Object.fromEntries(parts);
}

/** Whether two states of an entity have the same configuration. A missing entity has none. */
export function isSame(type: string, before: object | null, after: object | null): boolean {
  const kind = configuredType(type);
  if (!kind || !before || !after) return false;
  if (kind.noun === null) return isDeepStrictEqual((before as Entity).environments, (after as Entity).environments);
  return isDeepStrictEqual(toCanonical(kind, before as Entity), toCanonical(kind, after as Entity));
}

/** Overrides without any id are as good as none. */
function isEmptyOverrides({ ownerType }: Configured, entity: Entity): boolean {
  return (
    ownerType !== undefined &&
    Object.entries(entity).every(([field, value]) => field === "id" || (Array.isArray(value) && value.length === 0))
  );
}

/** The names of teams by their IDs. */
export function teamNames(project: StoredProject): Map<string, string> {
  return new Map((project.get("team") ?? []).map(({ id, entity }) => [id, String(entity.name)]));
}

/** The fields that name a team by its ID. */
const TEAM_FIELDS = ["teamID", "requiredReviewGroupID"];

/** The entity with other names of its teams. */
export function withTeams(entity: Entity, rename: (team: string, field: string) => string): Entity {
  const renamed = TEAM_FIELDS.flatMap((field) => {
    const team = entity[field];
    return typeof team === "string" ? [[field, rename(team, field)] as const] : [];
  });
  return { ...entity, ...Object.fromEntries(renamed) };
}
