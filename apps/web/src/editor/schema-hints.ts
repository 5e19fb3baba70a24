import type { Path } from "./cursor-place.ts";

export type KeyHint = { key: string; type: string; description: string; isRequired: boolean };
/** A value as it is written in JSON. */
export type ValueHint = { text: string; description: string };

/** A schema may refer and multiply without end: hints are found within these bounds, or not at all. */
const MAX_SCHEMAS = 500;
const MAX_HINTS = 200;

export type SchemaObject = Record<string, unknown>;

/** The keys that a schema knows at an object, those that it requires first. */
export function keyHints(schema: unknown, path: Path): KeyHint[] {
  const hints = new Map<string, KeyHint>();
  const schemas = schemasAt(schema, path);
  const required = new Set(schemas.flatMap((one) => toList(one.required).map(String)));
  for (const one of schemas) {
    for (const [key, inner] of Object.entries(asObject(one.properties) ?? {})) {
      if (inner === false || hints.has(key) || hints.size === MAX_HINTS) continue;
      const forms = expanded(schema, [inner]);
      hints.set(key, { key, type: describeType(forms), description: findDescription(forms), isRequired: required.has(key) });
    }
  }
  return [...hints.values()].sort((one, other) => Number(other.isRequired) - Number(one.isRequired));
}

/** The values that a schema names at a place, or the beginnings of values of its types. */
export function valueHints(schema: unknown, path: Path): ValueHint[] {
  const hints = new Map<string, ValueHint>();
  const add = (value: unknown, description: string): void => {
    const text = JSON.stringify(value);
    if (text !== undefined && !hints.has(text) && hints.size < MAX_HINTS) hints.set(text, { text, description });
  };
  const schemas = schemasAt(schema, path);
  for (const one of schemas) {
    if ("const" in one) add(one.const, toText(one.description));
    for (const value of toList(one.enum)) add(value, "");
    if ("default" in one) add(one.default, "the default");
    for (const value of toList(one.examples)) add(value, "an example");
  }
  if (schemas.some((one) => "const" in one || Array.isArray(one.enum))) return [...hints.values()];
  for (const type of schemas.flatMap((one) => [one.type].flat())) {
    if (type === "boolean") for (const value of [true, false]) add(value, "");
    if (type === "null") add(null, "");
    if (type === "object") add({}, "an empty object");
    if (type === "array") add([], "an empty list");
    if (type === "string") add("", "an empty text");
  }
  return [...hints.values()];
}

/** All schemas that may apply to the value at a path. Schemas in `patternProperties` are left out: a pattern can take forever. */
export function schemasAt(root: unknown, path: Path): SchemaObject[] {
  let schemas = expanded(root, [root]);
  for (const step of path) {
    schemas = expanded(
      root,
      schemas.flatMap((schema) => innerSchemas(schema, step)),
    );
  }
  return schemas;
}

function innerSchemas(schema: SchemaObject, step: string | number): unknown[] {
  if (typeof step === "number") {
    const prefix = toList(schema.prefixItems);
    return [step < prefix.length ? prefix[step] : schema.items];
  }
  const properties = asObject(schema.properties);
  if (properties !== undefined && Object.hasOwn(properties, step)) return [properties[step]];
  return [schema.additionalProperties, schema.unevaluatedProperties];
}

/** Schemas with those that they refer to or are composed of. */
function expanded(root: unknown, schemas: readonly unknown[]): SchemaObject[] {
  const found = new Set<SchemaObject>();
  const queue = [...schemas];
  for (let next = queue.shift(); next !== undefined || queue.length > 0; next = queue.shift()) {
    const schema = asObject(next);
    if (schema === undefined || found.has(schema)) continue;
    if (found.size === MAX_SCHEMAS) break;
    found.add(schema);
    if (typeof schema.$ref === "string") queue.push(referred(root, schema.$ref));
    for (const keyword of ["allOf", "anyOf", "oneOf"]) queue.push(...toList(schema[keyword]).slice(0, MAX_SCHEMAS));
    queue.push(schema.then, schema.else);
  }
  return [...found];
}

/** The schema at a pointer within the root. Undefined for other references. */
function referred(root: unknown, reference: string): unknown {
  if (!reference.startsWith("#")) return undefined;
  let place: unknown = root;
  for (const key of decoded(reference).split("/").slice(1)) {
    const name = key.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof place !== "object" || place === null || !Object.hasOwn(place, name)) return undefined;
    place = (place as SchemaObject)[name];
  }
  return place;
}

function decoded(reference: string): string {
  try {
    return decodeURIComponent(reference);
  } catch {
    return reference;
  }
}

function describeType(schemas: readonly SchemaObject[]): string {
  const types = schemas.flatMap((schema) => [schema.type].flat()).filter((type) => typeof type === "string");
  return [...new Set(types)].join(" or ");
}

const findDescription = (schemas: readonly SchemaObject[]): string =>
  schemas.map(({ description, title }) => toText(description) || toText(title)).find((text) => text !== "") ?? "";

const toText = (value: unknown): string => (typeof value === "string" ? value : "");
const toList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const asObject = (value: unknown): SchemaObject | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as SchemaObject) : undefined;
