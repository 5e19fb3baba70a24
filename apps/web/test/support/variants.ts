// Entities that differ from an example in one writable field, as the contract's schemas describe them.
import { createRequire } from "node:module";

type Schema = {
  $ref?: string;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  readOnly?: boolean;
  maximum?: number;
};
type Json = unknown;
type Entity = Readonly<Record<string, Json>>;

const document = createRequire(import.meta.url)("@gatehouse/contract/console.json") as {
  components: { schemas: Record<string, Schema>; examples: Record<string, { value: { data?: Entity } }> };
};

const named = (reference: string): Schema => document.components.schemas[reference.slice(reference.lastIndexOf("/") + 1)] ?? {};

/** The schema with its references resolved and its parts merged. The first of several alternatives counts. */
function resolved(schema: Schema): Schema {
  const { $ref, allOf = [], anyOf = [], oneOf = [], ...own } = schema;
  const alternative = [...anyOf, ...oneOf].find((one) => one.type !== "null");
  const parts = [...($ref ? [named($ref)] : []), ...allOf, ...(alternative ? [alternative] : [])].map(resolved);
  const merged = Object.assign({}, ...parts, own) as Schema;
  const properties = Object.assign({}, ...[...parts, own].map((part) => part.properties ?? {}));
  return Object.keys(properties).length > 0 ? { ...merged, properties } : merged;
}

const pickType = ({ type, properties, items }: Schema): string =>
  [type ?? []].flat().find((one) => one !== "null") ?? (properties ? "object" : items ? "array" : "string");

/** A day: descriptions show times to the minute. */
const DAY_MS = 86_400_000;

/** Two values of a field other than the given one. Without one, a switch has two. */
function others(schema: Schema, value: Json, path: string): Json[] {
  const { enum: values, maximum, properties, items, ...own } = resolved(schema);
  if (values) return values.filter((one) => one !== value && one !== null && one !== "").slice(0, 2);
  switch (pickType({ properties, items, ...own } as Schema)) {
    case "boolean":
      return value === undefined ? [true, false] : [value !== true];
    case "integer":
    case "number": {
      const step = /time$/i.test(path) ? DAY_MS : 1;
      const number = typeof value === "number" ? value : 1;
      return maximum !== undefined && number + 2 * step > maximum
        ? [number - maximum / 8, number - maximum / 4]
        : [number + step, number + 2 * step];
    }
    case "object":
      return [
        { ...(value as object), other: 1 },
        { ...(value as object), other: 2 },
      ];
    default:
      return [`${typeof value === "string" ? value : ""}one`, `${typeof value === "string" ? value : ""}two`];
  }
}

/** A value with everything that the schema requires. */
function minimal(schema: Schema): Json {
  const of = resolved(schema);
  if (of.const !== undefined) return of.const;
  if (of.enum) return of.enum.find((one) => one !== null && one !== "");
  switch (pickType(of)) {
    case "array":
      return [];
    case "object":
      return Object.fromEntries((of.required ?? []).map((name) => [name, minimal(of.properties?.[name] ?? {})]));
    case "boolean":
      return false;
    case "integer":
    case "number":
      return 1;
    default:
      return "text";
  }
}

/** A field as it is and with other values. `isAbsent`: it has no value, which may mean the same as one of the others. */
export type Variants = { path: string; before: Json; after: Json[]; isAbsent?: boolean };

/** Each writable part of a value: alone in the present value, and in an item that is added to each list. */
function listVariants(schema: Schema, value: Json, path: string): Variants[] {
  const of = resolved(schema);
  if (of.readOnly) return [];
  const isList = pickType(of) === "array";
  if (isList && of.items) return itemVariants(of.items, Array.isArray(value) ? value : [], path);
  const { properties } = of;
  if (properties && !of.enum) {
    const fields = (value ?? minimal(of)) as Entity;
    return Object.entries(properties).flatMap(([name, field]) =>
      listVariants(field, fields[name], path === "" ? name : `${path}.${name}`).map(({ before, after, ...rest }) => ({
        ...rest,
        before: { ...fields, [name]: before },
        after: after.map((one) => ({ ...fields, [name]: one })),
      })),
    );
  }
  return [{ path, isAbsent: value === undefined, before: value, after: others(of, value, path) }];
}

function itemVariants(items: Schema, list: Json[], path: string): Variants[] {
  const isObject = pickType(resolved(items)) === "object";
  const added = isObject ? minimal(items) : undefined;
  const inAdded = (
    isObject
      ? listVariants(items, added, `${path}[+]`)
      : [{ path: `${path}[+]`, isAbsent: true, before: undefined, after: others(items, undefined, path) }]
  ).map(({ before, after, isAbsent, path: at }) => ({
    path: at,
    before: list,
    after: (isAbsent ? after : [before, ...after]).map((item) => [...list, item]),
  }));
  if (list.length === 0) return inAdded;
  const [first, ...rest] = list;
  const inFirst = listVariants(items, first, `${path}[0]`).map(({ path: at, before, after }) => ({
    path: at,
    before: [before, ...rest],
    after: after.map((item) => [item, ...rest]),
  }));
  return [...inFirst, { path: `${path}[−]`, before: list, after: [rest] }, ...inAdded];
}

/** The entity in the contract's example of an answer. */
export function findExample(name: string): Entity {
  const { data } = document.components.examples[name]?.value ?? {};
  if (data === undefined) throw new Error(`The contract has no example ${name} with data.`);
  return data;
}

/** For each writable field of a request: the entity as it is, and with other values of that field alone. */
export const writableVariants = (request: string, entity: Entity): Variants[] => listVariants(named(request), entity, "");
