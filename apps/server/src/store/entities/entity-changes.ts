import { isDeepStrictEqual } from "node:util";
import { toPlace } from "../../common/place.ts";
import type { Entry } from "../change-log/change-log.ts";
import type { Versioned } from "../requests/entity-tag.ts";

export type FieldChange = { field: string; before: unknown; after: unknown };
type EntityChange = { entityType: string; entityID: string; fields: FieldChange[] };

/** Audit fields that the server sets on every write. They do not count as changes. */
const STAMPS = new Set(["version", "lastModifiedTime", "lastModifierID", "lastModifierName", "lastModifierEmail"]);

/** The changes of a request's writes, field by field: one item for each entity, from its first state to its last. */
export function entityChanges(entries: readonly Entry[]): EntityChange[] {
  const entities = new Map<string, Entry>();
  for (const entry of entries) {
    const key = `${entry.type} ${entry.id}`;
    const first = entities.get(key) ?? entry;
    entities.set(key, { ...entry, before: first.before ?? first.defaults ?? null });
  }
  return [...entities.values()].map(({ type, id, before, after }) => ({
    entityType: type,
    entityID: id,
    fields: differences(withoutStamps(before), withoutStamps(after), []),
  }));
}

function differences(before: unknown, after: unknown, steps: string[]): FieldChange[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (!isFields(before) || !isFields(after) || !areComparable(before, after)) {
    return [{ field: toPlace(steps), before: before ?? null, after: after ?? null }];
  }
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => differences(ownValue(before, name), ownValue(after, name), [...steps, name]));
}

/** A caller's field may be called as one that every object inherits, such as `toString`. */
const ownValue = (fields: Fields, name: string): unknown => (Object.hasOwn(fields, name) ? fields[name] : undefined);

type Fields = Record<string, unknown>;

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}

/** Whether both are objects, or lists of equal length. */
function areComparable(before: Fields, after: Fields): boolean {
  if (!Array.isArray(before) && !Array.isArray(after)) return true;
  return Array.isArray(before) && Array.isArray(after) && before.length === after.length;
}

function withoutStamps(entity: Versioned | null): Fields {
  return Object.fromEntries(Object.entries(entity ?? {}).filter(([name]) => !STAMPS.has(name)));
}
