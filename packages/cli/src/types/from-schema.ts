import { arrayOf, objectType, type TypeText, union } from "./type-text.ts";

/** A JSON Schema, as far as it decides a TypeScript type. */
type JsonSchema = {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  properties?: { [name: string]: Given };
  required?: string[];
  additionalProperties?: Given;
  items?: Given | Given[];
  prefixItems?: Given[];
  allOf?: Given[];
  anyOf?: Given[];
  oneOf?: Given[];
  description?: string;
};
type Given = JsonSchema | boolean;

/**
 * The type of the values that a JSON Schema allows. Leaves out restrictions that TypeScript lacks, such as ranges. A schema that is not understood
 * becomes `unknown`.
 */
export function typeOfSchema(schema: unknown): TypeText {
  return toType(schema as Given, schema as Given, []);
}

/** @param open the references that lead to this schema: a schema that contains itself becomes `unknown` there */
function toType(given: Given, root: Given, open: readonly string[]): TypeText {
  if (given === false) return "never";
  if (typeof given !== "object" || given === null) return "unknown";
  const { $ref, allOf, anyOf, oneOf } = given;
  const parts: TypeText[] = [];
  if ($ref !== undefined) parts.push(open.includes($ref) ? "unknown" : toType(resolve($ref, root), root, [...open, $ref]));
  if (given.const !== undefined) parts.push(literal(given.const));
  else if (given.enum !== undefined) parts.push(union(given.enum.map(literal)));
  else parts.push(ownType(given, root, open));
  for (const choices of [anyOf, oneOf]) if (choices) parts.push(union(choices.map((one) => toType(one, root, open))));
  for (const part of allOf ?? []) parts.push(toType(part, root, open));
  const known = [...new Set(parts.filter((part) => part !== "unknown"))];
  if (known.length < 2) return known[0] ?? "unknown";
  return known.map((part) => (part.includes(" | ") ? `(${part})` : part)).join(" & ");
}

/** The schema that a reference in the same document names. Others are not read: they would be other files or servers. */
function resolve(ref: string, root: Given): Given {
  if (ref !== "#" && !ref.startsWith("#/")) return true;
  const steps = ref
    .split("/")
    .slice(1)
    .map((step) => decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~"));
  const found = steps.reduce<unknown>(
    (node, step) => (typeof node === "object" && node !== null ? (node as Record<string, unknown>)[step] : undefined),
    root,
  );
  return (found ?? true) as Given;
}

function ownType(schema: JsonSchema, root: Given, open: readonly string[]): TypeText {
  const { type } = schema;
  const types = type === undefined ? (schema.properties ? ["object"] : schema.items ? ["array"] : []) : [type].flat();
  return types.length === 0 ? "unknown" : union(types.map((one) => typeNamed(one, schema, root, open)));
}

function typeNamed(name: string, schema: JsonSchema, root: Given, open: readonly string[]): TypeText {
  switch (name) {
    case "string":
    case "number":
    case "boolean":
    case "null":
      return name;
    case "integer":
      return "number";
    case "array":
      return toArray(schema, root, open);
    case "object":
      return toObject(schema, root, open);
    default:
      return "unknown";
  }
}

function toArray({ items, prefixItems }: JsonSchema, root: Given, open: readonly string[]): TypeText {
  const tuple = prefixItems ?? (Array.isArray(items) ? items : undefined);
  // All items of a tuple may be missing.
  if (tuple) return arrayOf("unknown");
  return arrayOf(toType((items as Given | undefined) ?? true, root, open));
}

function toObject({ properties = {}, required = [], additionalProperties }: JsonSchema, root: Given, open: readonly string[]): TypeText {
  const named = Object.entries(properties).map(([name, part]) => ({
    name,
    type: toType(part, root, open),
    isOptional: !required.includes(name),
    description: typeof part === "object" ? part.description : undefined,
  }));
  if (named.length > 0) return objectType(named);
  if (additionalProperties === false) return objectType([]);
  return objectType([], toType(additionalProperties ?? true, root, open));
}

function literal(value: unknown): TypeText {
  return typeof value === "object" && value !== null ? "unknown" : JSON.stringify(value);
}
