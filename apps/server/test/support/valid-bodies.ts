import consoleDocument from "@gatehouse/contract/console.json" with { type: "json" };
import evaluationDocument from "@gatehouse/contract/evaluation.json" with { type: "json" };
import type { SweptOperation } from "./operations.ts";

type Schema = {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  readOnly?: boolean;
  items?: Schema;
  maxItems?: number;
  additionalProperties?: boolean | Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  minimum?: number;
  minLength?: number;
  format?: string;
  description?: string;
};

/** The path of a list or map in a body. `*` stands for an item. */
type Place = string[];

const MAX_DEPTH = 8;
/** Fields that must sum to 100 in some lists. */
const SHARES = new Set(["passPercentage", "size"]);

/** A list or map of a body, and how to fill it. */
export type Fillable = {
  operation: SweptOperation;
  /** `rules.*.conditions` */
  title: string;
  /**
   * The largest body: the list or map has the maximum number of items within the limits. Each item is minimal, with unique strings. The other
   * required fields come from `example`.
   */
  body(example: object | undefined): string;
};

/** The lists and maps in the bodies of operations. If several operations on a resource share one, only the last counts. */
export function fillables(operations: SweptOperation[]): Fillable[] {
  const all = operations.flatMap((operation) => {
    const schema = bodySchema(operation);
    return places(schema).map((place) => {
      const title = place.join(".") || "the body";
      const body = (example: object | undefined) => JSON.stringify(filled(operation, schema, place, example));
      return [`${collectionPath(operation)} ${title}`, { operation, title, body }] as const;
    });
  });
  return [...new Map(all).values()];
}

/** A value at any depth of a body, such as `["rules", "*", "passPercentage"]`. */
export type BodyValue = { place: Place; schema: Schema };

/** The values that the body of an operation can have, except lists, maps and objects with properties. */
export function bodyValues(operation: SweptOperation): BodyValue[] {
  return operation.takesBody ? leaves(bodySchema(operation)) : [];
}

function leaves(schema: Schema, place: Place = []): BodyValue[] {
  const properties = Object.entries(schema.properties ?? {}).flatMap(([name, one]) => leaves(one, [...place, name]));
  const below = schema.items ? [...leaves(schema.items, [...place, "*"]), ...properties] : properties;
  return below.length > 0 ? below : [{ place, schema }];
}

/** A body that the contract allows, with a value at a place. */
export function bodyWith(operation: SweptOperation, place: Place, value: unknown): unknown {
  return filled(operation, bodySchema(operation), place, operation.example, () => value);
}

/** `/console/v1/gates/{id}/rules` → `/console/v1/gates` */
function collectionPath({ path }: SweptOperation): string {
  return path.replace(/\/\{.*/, "");
}

function findDocument({ path }: SweptOperation): object {
  return path.startsWith("/console/") ? consoleDocument : evaluationDocument;
}

function stepTo(document: object, steps: string[]): unknown {
  return steps.reduce<unknown>((node, step) => (node as Record<string, unknown>)[step], document);
}

/** The schema of a body with resolved references and merged `allOf` parts. */
function bodySchema(operation: SweptOperation): Schema {
  const document = findDocument(operation);
  const { requestBody } = stepTo(document, ["paths", operation.path, operation.method.toLowerCase()]) as {
    requestBody: { content: Record<string, { schema: Schema }> };
  };
  return merged(document, requestBody.content["application/json"]?.schema ?? {});
}

function merged(document: object, schema: Schema, depth = 0): Schema {
  const { $ref, allOf = [], anyOf = [], oneOf = [], ...own } = schema;
  const named = $ref === undefined ? [] : [stepTo(document, $ref.split("/").slice(1)) as Schema];
  const [alternative] = [...anyOf, ...oneOf];
  const parts = [...named, ...allOf, ...(alternative ? [alternative] : [])].map((part) => merged(document, part, depth));
  const all = [...parts, own];
  const whole = Object.assign({}, ...all) as Schema;
  const properties = Object.assign({}, ...all.map((part) => part.properties)) as Record<string, Schema>;
  if (depth > MAX_DEPTH) return { ...whole, properties: {} };
  whole.required = all.flatMap((part) => part.required ?? []);
  whole.properties = Object.fromEntries(
    Object.entries(properties)
      .map(([name, property]) => [name, merged(document, property, depth + 1)] as const)
      .filter(([, { readOnly }]) => !readOnly),
  );
  if (whole.items) whole.items = merged(document, whole.items, depth + 1);
  return whole;
}

const isList = ({ type, items }: Schema) => items !== undefined || [type].flat().includes("array");
const isMap = ({ additionalProperties }: Schema) => additionalProperties !== undefined && additionalProperties !== false;

/** The places of lists and maps. */
function places(schema: Schema, place: Place = []): Place[] {
  const own = isList(schema) || isMap(schema) ? [place] : [];
  const inItems = schema.items ? places(schema.items, [...place, "*"]) : [];
  return [...own, ...inItems, ...Object.entries(schema.properties ?? {}).flatMap(([name, one]) => places(one, [...place, name]))];
}

let count = 0;
const distinct = (minLength = 1) => `n${(count++).toString(36)}`.padEnd(minLength, "n");

/** The smallest value that a schema allows, with unique strings. */
function smallest(schema: Schema): unknown {
  if (schema.enum) return schema.enum.includes("public") ? "public" : schema.enum[0];
  const [type] = [schema.type ?? "object"].flat();
  if (isList(schema)) return [];
  if (type === "string") return schema.format === "email" ? `${distinct()}@a.io` : distinct(schema.minLength);
  if (type === "number" || type === "integer") return Math.max(schema.minimum ?? 0, 0);
  if (type === "boolean") return true;
  return Object.fromEntries((schema.required ?? []).map((name) => [name, smallest(schema.properties?.[name] ?? {})]));
}

/** A body with the result of `fill` at a place. */
function filled(operation: SweptOperation, schema: Schema, place: Place, example: object | undefined, fill: Fill = fullest): unknown {
  const [step, ...rest] = place;
  if (step === undefined) return fill(operation, schema);
  if (step === "*") return [filled(operation, schema.items as Schema, rest, undefined, fill)];
  const around = { ...(smallest({ ...schema, type: "object" }) as object), ...(Array.isArray(example) ? {} : example) };
  return { ...around, [step]: filled(operation, schema.properties?.[step] as Schema, rest, undefined, fill) };
}

type Fill = (operation: SweptOperation, schema: Schema) => unknown;

const fullest: Fill = (operation, schema) => (isList(schema) ? many(operation, schema) : entries(operation));

function many({ maxBytes, maxValues }: SweptOperation, { items = {}, maxItems = Number.POSITIVE_INFINITY }: Schema): unknown[] {
  const first = smallest(items);
  const values = countValues(first);
  const bytes = JSON.stringify(first).length + 1;
  const length = Math.min(maxItems, Math.floor((maxValues - 200) / values), Math.floor((maxBytes - 4_000) / bytes));
  return [withAll(first), ...Array.from({ length: length - 1 }, () => smallest(items))];
}

/** An item with the whole sum that the items share. */
function withAll(item: unknown): unknown {
  if (typeof item !== "object" || item === null) return item;
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [name, SHARES.has(name) ? 100 : value]));
}

function entries({ maxBytes, maxValues }: SweptOperation): Record<string, number> {
  const length = Math.min(maxValues - 200, Math.floor((maxBytes - 4_000) / 12));
  return Object.fromEntries(Array.from({ length }, (_, index) => [distinct(), index % 10]));
}

/** The number of JSON values in a value. */
function countValues(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce<number>((sum, one) => sum + countValues(one), 1);
}
