import { isDeepStrictEqual } from "node:util";
import type { OperationId } from "@gatehouse/contract/console";
import { entityID, type NamedType } from "@gatehouse/contract/entity-id";
import type { Violation } from "../../common/errors.ts";
import { words } from "../../common/words.ts";
import { alwaysHas, bodyShape, isConfigured, isLaunched, operationOf, shapeOf, textOf, toCanonical } from "./canonical.ts";
import type { Stored } from "./configuration.ts";
import type { Configured, Entity } from "./configured-kinds.ts";
import { withKnownIDs } from "./known-ids.ts";
import { firstVersionRequests, versionChanges, withoutVersions } from "./prompt-versions.ts";

/** A request of a batch. */
export type PlannedRequest = {
  operationId: OperationId;
  path?: { [name: string]: string };
  body?: Entity;
  ifMatch?: string;
  /** Path of the part that the body contains, if it is not the whole entity: `versions[2]`. */
  part?: string;
};

type Wanted = { entity: Entity; isLaunched: boolean; place: string };
type Operation = NonNullable<ReturnType<typeof operationOf>>;

/** The path of an operation on an entity: some kinds have their name in it. */
function pathOf({ path }: Operation, { id, entity }: Pick<Stored, "id" | "entity">): { [name: string]: string } {
  return path.includes("{name}") ? { name: String(entity.name) } : { id };
}

function toRequest(
  operation: Operation,
  stored: Pick<Stored, "id" | "entity"> & { tag?: string | undefined },
  body?: Entity,
): PlannedRequest {
  const ifMatch = operation.takesIfMatch ? stored.tag : undefined;
  return { operationId: operation.id, path: pathOf(operation, stored), ...(body && { body }), ...(ifMatch && { ifMatch }) };
}

/**
 * The requests that create an entity. Lists that it leaves out are given as empty, so that no default of a team fills them. Files have no owners.
 * @param owner the owner of each new entity that can have one
 */
export function createRequests(
  kind: Configured,
  { id, entity, isLaunched: isLaunching, place }: Wanted & { id: string },
  { owner, violations }: { owner: object | undefined; violations: Violation[] },
): PlannedRequest[] {
  const own = { id, entity };
  if (kind.ownerType) return [toRequest(operationOf(kind, "update") as Operation, own, overridesBody(kind, entity))];
  const operation = operationOf(kind, "create") as Operation;
  const shape = bodyShape(operation);
  const empty = [...shape.properties].filter(
    ([field, part]) => part.isList && isConfigured(kind, field, shape) && entity[field] === undefined,
  );
  const owned = owner !== undefined && shape.properties.has("owner") && { owner };
  const body = { ...Object.fromEntries(empty.map(([field]) => [field, []])), ...withoutVersions(kind, entity), ...owned };
  const launch = isLaunching ? [toRequest(operationOf(kind, "launch") as Operation, own)] : [];
  const versions = kind.type === "prompt" ? firstVersionRequests(id, entity, { place, violations }) : [];
  const { id: _, ...unidentified } = body as Entity;
  const isDerived = kind.derivesID && entityID(kind.type as NamedType, String(entity.name)) === id;
  return [{ operationId: operation.id, body: isDerived ? unidentified : body }, ...launch, ...versions];
}

/** The requests that change a stored entity. None if it is equal already. */
export function changeRequests(
  kind: Configured,
  { entity: given, isLaunched: isLaunching, place }: Wanted,
  stored: Stored,
  violations: Violation[],
): PlannedRequest[] {
  const current = toCanonical(kind, kind.ownerType ? { ...stored.entity, id: stored.id } : stored.entity);
  const entity = withKnownIDs(given, current);
  const versions = kind.type === "prompt" ? versionChanges(given, stored, { place, violations }) : undefined;
  const changed = { ...changedFields(kind, withoutVersions(kind, current), withoutVersions(kind, entity)), ...versions?.live };
  const requests: PlannedRequest[] = [];
  const add = (operation: Operation, body?: Entity) =>
    requests.push(toRequest(operation, requests.length === 0 ? stored : { ...stored, tag: undefined }, body));
  if (stored.isArchived) add(operationOf(kind, "unarchive") as Operation);
  if (Object.keys(changed).length > 0) {
    const operation = operationOf(kind, "patch", "update");
    if (kind.ownerType) add(operation as Operation, overridesBody(kind, entity));
    else if (isChangeable(kind, operation, changed, { place, violations })) add(operation, toBody(operation, changed, entity));
  }
  if (isLaunching && !isLaunched(kind, stored.entity)) add(operationOf(kind, "launch") as Operation);
  else if (!isLaunching && isLaunched(kind, stored.entity) && entity.isEnabled !== false) add(operationOf(kind, "enable") as Operation);
  const [first, ...others] = versions?.requests ?? [];
  if (first) requests.push(requests.length === 0 ? { ...first, ifMatch: stored.tag } : first, ...others);
  return requests;
}

/** The fields that differ, with their new values. A list or a field that can be null becomes empty if it is left out. */
function changedFields(kind: Configured, current: Entity, wanted: Entity): Entity {
  const shape = shapeOf(kind);
  const fields = new Set([...Object.keys(current), ...Object.keys(wanted)]);
  const changed = [...fields].flatMap((field) => {
    if (field === "status" || (kind.hasID && field === "id") || isDeepStrictEqual(current[field], wanted[field])) return [];
    if (wanted[field] !== undefined) return [[field, wanted[field]] as const];
    const part = shape.properties.get(field);
    const isGivenOtherwise =
      wanted[textOf(field)] !== undefined || (field.endsWith("Json5") && wanted[field.slice(0, -"Json5".length)] !== undefined);
    if (!part || isGivenOtherwise) return [];
    if (part.isList) return [[field, []] as const];
    if (part.isNullable) return [[field, null] as const];
    // An entity without an optional switch has it off.
    return part.isBoolean && !alwaysHas(kind, field) ? [[field, false] as const] : [];
  });
  return Object.fromEntries(changed);
}

/** Whether an operation can change these fields. Adds a violation for each that it cannot. */
function isChangeable(
  kind: Configured,
  operation: Operation | undefined,
  changed: Entity,
  { place, violations }: { place: string; violations: Violation[] },
): operation is Operation {
  const shape = bodyShape(operation);
  const fixed = Object.keys(changed).filter(
    (field) => shapeOf(kind).properties.has(field) && (shape.properties.get(field)?.isReadOnly ?? true),
  );
  for (const field of fixed) {
    const errorMessage = `cannot be changed: a ${words(kind.type)} keeps it from its creation`;
    violations.push({ property: `configuration.${place}.${field}`, errorMessage });
  }
  return fixed.length === 0 && operation !== undefined;
}

/** The body of a change: the changed fields, and those that the operation requires. */
function toBody(operation: Operation, changed: Entity, wanted: Entity): Entity {
  const required = [...bodyShape(operation).required].filter((field) => wanted[field] !== undefined);
  return { ...Object.fromEntries(required.map((field) => [field, wanted[field]])), ...changed };
}

/** Overrides are replaced as a whole. */
function overridesBody(kind: Configured, { id: _, ...given }: Entity): Entity {
  const lists = [...shapeOf(kind).properties].filter(([, part]) => part.isList && !part.isReadOnly);
  return { ...Object.fromEntries(lists.map(([field]) => [field, []])), ...given };
}

/** The requests that take an entity out of use: it is archived, or deleted if its kind cannot be archived. */
export function removeRequests(kind: Configured, id: string, stored: Stored, violations: Violation[]): PlannedRequest[] {
  if (kind.ownerType) return [toRequest(operationOf(kind, "update") as Operation, stored, overridesBody(kind, {}))];
  const operation = operationOf(kind, "archive", "delete");
  if (operation) return [toRequest(operation, stored)];
  const errorMessage = `cannot remove ${id}: a ${words(kind.type)} can be neither archived nor deleted`;
  violations.push({ property: `configuration.${kind.kind}`, errorMessage });
  return [];
}

/**
 * The requests that make the environments equal to the given ones. The first keeps those that are left out, since rules may still name them. The second
 * removes them. Each is undefined if it would change nothing.
 */
export function environmentRequests(
  given: Entity[],
  stored: Stored | undefined,
  teams: ReadonlyMap<string, string>,
): [PlannedRequest | undefined, PlannedRequest | undefined] {
  const current = (stored?.entity.environments ?? []) as Entity[];
  const byName = new Map(current.map((one) => [one.name, one]));
  const idsOfTeams = new Map([...teams].map(([id, name]) => [name, id]));
  const wanted = given.map(({ requiredReviewGroupID: group, ...one }) => {
    const before = byName.get(one.name);
    const team = typeof group === "string" ? (idsOfTeams.get(group) ?? group) : null;
    return { ...(before && { id: before.id }), ...one, requiredReviewGroupID: team };
  });
  const names = new Set(given.map(({ name }) => name));
  const left = current.filter(({ name }) => !names.has(name));
  const asStored = wanted.map(({ requiredReviewGroupID: group, ...one }) => ({
    ...one,
    ...(group !== null && { requiredReviewGroupID: group }),
  }));
  const toSet = (environments: object[]): PlannedRequest => ({ operationId: "updateEnvironments", body: { environments } });
  const unlessChanged = (request: PlannedRequest) => (stored ? { ...request, ifMatch: stored.tag } : request);
  const isSame = isDeepStrictEqual(
    withSortedFields([...asStored, ...left]),
    withSortedFields([...current.filter(({ name }) => names.has(name)), ...left]),
  );
  const adding = isSame ? undefined : unlessChanged(toSet([...wanted, ...left]));
  const removing = left.length === 0 ? undefined : toSet(wanted);
  return [adding, removing && (adding ? removing : unlessChanged(removing))];
}

const withSortedFields = (all: object[]) =>
  all.map((one) => Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1))));
