import { descriptions, type OperationId } from "@gatehouse/contract/console";
import type { Configured, Entity } from "./configured-kinds.ts";
import { type Shape, shapeAt } from "./shape.ts";

/** Fields that bodies can have and that a configuration never has: people, who differ between servers, and what only a request says. */
const NEVER = new Set(["creatorID", "creatorEmail", "owner", "dryRun", "version", "createdTime"]);

/** Further fields of a kind that are not configuration: the progress of experiments, and entities that list themselves elsewhere. */
const NOT_CONFIGURED: { [type: string]: readonly string[] } = {
  experiment: ["status", "decisionReason", "launchedGroupID"],
  target_app: ["gates", "dynamicConfigs", "experiments"],
  prompt: ["versions", "liveVersion"],
};

type Operation = { body?: { schema: string }; path: string; takesIfMatch: boolean };

/** The operation of a kind with one of these verbs: the first that the contract has. */
export function operationOf({ noun }: Configured, ...verbs: string[]): ({ id: OperationId } & Operation) | undefined {
  const id = verbs.map((verb) => `${verb}${noun}`).find((name) => Object.hasOwn(descriptions, name)) as OperationId | undefined;
  return id && ({ id, ...(descriptions as Record<string, Operation>)[id] } as { id: OperationId } & Operation);
}

const NO_SHAPE: Shape = {
  properties: new Map(),
  required: new Set(),
  items: undefined,
  isReadOnly: false,
  isNullable: false,
  isList: false,
  isBoolean: false,
};

/** The shape of a kind's entities in files. */
export function shapeOf(kind: Configured): Shape {
  if (kind.noun === null) return shapeAt("#/components/schemas/EnvironmentUpdate");
  if (kind.type === "settings") return shapeAt("#/components/schemas/Settings");
  return bodyShape(operationOf(kind, "create", "update"));
}

/** The shape of an operation's body. */
export function bodyShape(operation: Operation | undefined): Shape {
  return operation?.body ? shapeAt(operation.body.schema) : NO_SHAPE;
}

/** Whether each entity of a kind that is read has the field. */
export function alwaysHas({ noun }: Configured, field: string): boolean {
  return shapeAt(`#/components/schemas/${noun}`).required.has(field);
}

/** Whether files have this field of a kind. */
export function isConfigured({ type, noun, refused }: Configured, field: string, shape: Shape): boolean {
  const part = shape.properties.get(field);
  if (NEVER.has(field) || isSeparate(type, field) || (noun === null && field === "id")) return false;
  if (refused && Object.hasOwn(refused, field)) return false;
  return part !== undefined && !part.isReadOnly;
}

const isSeparate = (type: string, field: string) => NOT_CONFIGURED[type]?.includes(field) ?? false;

/**
 * An entity as files have it, with its fields in the order of the contract. Leaves out what the server sets, null, and empty lists.
 * @param keepUnknown whether to keep fields that the contract lacks, so that the operation refuses them
 */
export function toCanonical(kind: Configured, entity: Entity, { keepUnknown = false } = {}): Entity {
  const shape = shapeOf(kind);
  const own = Object.fromEntries(
    Object.entries(entity).filter(
      ([field]) => isConfigured(kind, field, shape) || (keepUnknown && !shape.properties.has(field) && !isSeparate(kind.type, field)),
    ),
  );
  const canonical = canonicalObject(own, shape, { keepUnknown });
  return {
    ...(kind.hasID && { id: entity.id }),
    ...canonical,
    ...(isLaunched(kind, entity) && { status: "Launched" }),
    ...(kind.type === "prompt" && canonicalVersions(entity, { keepUnknown })),
  };
}

/** The versions of a prompt, and the name of the one that is live. A stored prompt has its ID. A file can leave out its versions. */
function canonicalVersions({ versions, liveVersionID, liveVersion }: Entity, options: Options): Entity {
  const shape = shapeAt("#/components/schemas/PromptVersion");
  const all = Array.isArray(versions) ? (versions as Entity[]) : undefined;
  const live = liveVersion !== undefined ? liveVersion : all?.find(({ id }) => id !== undefined && id === liveVersionID)?.name;
  const canonical = all?.map((one) => canonicalObject({ description: "", prompts: [], ...one }, shape, options));
  return { ...(canonical && { versions: canonical }), ...(live !== undefined && { liveVersion: live }) };
}

/** Whether a gate passes everyone regardless of its rules. */
export function isLaunched({ type }: Pick<Configured, "type">, entity: Entity): boolean {
  return type === "gate" && entity.status === "Launched";
}

type Options = { keepUnknown: boolean };

function canonicalObject(value: Entity, shape: Shape, options: Options): Entity {
  const known = [...shape.properties.keys()].toSorted((a, b) => first(a) - first(b));
  const unknown = options.keepUnknown ? Object.keys(value).filter((field) => !shape.properties.has(field)) : [];
  const fields = [...known, ...unknown].flatMap((field) => {
    const part = shape.properties.get(field);
    const given = value[field];
    if (!Object.hasOwn(value, field) || given === undefined || part?.isReadOnly) return [];
    if (part && !shape.required.has(field) && isEmpty(given, part)) return [];
    return [[field, part ? canonicalValue(given, part, options) : given] as const];
  });
  return withOneText(Object.fromEntries(fields), shape);
}

/** `id` and `name` come first. */
function first(field: string): number {
  return field === "id" ? 0 : field === "name" ? 1 : 2;
}

function isEmpty(value: unknown, { isNullable, isList }: Pick<Shape, "isNullable" | "isList">): boolean {
  return (value === null && isNullable) || (Array.isArray(value) && value.length === 0 && isList);
}

function canonicalValue(value: unknown, shape: Shape, options: Options): unknown {
  if (Array.isArray(value)) return shape.items ? value.map((item) => canonicalValue(item, shape.items as Shape, options)) : value;
  if (typeof value !== "object" || value === null || shape.properties.size === 0) return value;
  return canonicalObject(value as Entity, shape, options);
}

/** The field that has the JSON5 text of another one. */
export const textOf = (field: string): string => `${field}Json5`;

/** Keeps one of a value and its JSON5 text: the text if it has comments or a layout, and otherwise the value. */
function withOneText(value: Entity, { properties }: Shape): Entity {
  const dropped = Object.keys(value).flatMap((field) => {
    const twin = textOf(field);
    if (!properties.has(twin) || value[twin] === undefined) return [];
    const text = typeof value[field] === "string" ? value[field] : JSON.stringify(value[field]);
    return [text === value[twin] ? twin : field];
  });
  return Object.fromEntries(Object.entries(value).filter(([field]) => !dropped.includes(field)));
}
