import type { Entity } from "./configured-kinds.ts";

/**
 * An entity of a configuration whose parts keep the IDs that they have in the project. A file may leave them out of rules, groups and phases: the
 * part of the same list with the same name is the same part. With a new ID, a rule would pass other users.
 */
export function withKnownIDs(wanted: Entity, current: Entity): Entity {
  return Object.fromEntries(Object.entries(wanted).map(([field, value]) => [field, keepIDs(value, current[field])]));
}

function keepIDs(wanted: unknown, current: unknown): unknown {
  if (!Array.isArray(wanted) || !Array.isArray(current)) return wanted;
  const parts = current.filter(isPart);
  const named = new Set(wanted.flatMap((one) => (isPart(one) ? [one.id] : [])));
  const free = parts.filter(({ id }) => !named.has(id));
  return wanted.map((one) => {
    if (!isObject(one)) return one;
    const index = isPart(one) ? -1 : free.findIndex(({ name }) => name !== undefined && name === one.name);
    const [known] = index < 0 ? parts.filter(({ id }) => id === one.id) : free.splice(index, 1);
    return known ? withKnownIDs({ ...idsOf(known), ...one }, known) : one;
  });
}

type Part = Entity & { id: string };

const isObject = (value: unknown): value is Entity => typeof value === "object" && value !== null && !Array.isArray(value);
const isPart = (value: unknown): value is Part => isObject(value) && typeof value.id === "string";

/** The ID of a part. A rule also has the ID of the rule that it was copied from, which decides whom it passes. */
const idsOf = ({ id, baseID }: Part): Entity => ({ id, ...(baseID !== undefined && { baseID }) });
