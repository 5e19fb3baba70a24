import { type OperationDescription, type ParameterDescription, valueAt } from "@gatehouse/contract";
import type { Document } from "./document.ts";

type SchemaNode = {
  $ref?: string;
  properties?: Record<string, SchemaNode>;
  items?: SchemaNode;
  allOf?: SchemaNode[];
  anyOf?: SchemaNode[];
  oneOf?: SchemaNode[];
  "x-refused"?: Refusals;
  "x-refused-values"?: Refusals;
  "x-one-or-list"?: true;
};

/** Names or values of other servers that the contract refuses, each with the reason. */
export type Refusals = Record<string, string>;

/** The parts of an operation's description that determine the names a request may use. */
type RequestDescription = Pick<OperationDescription, "parameters" | "refusedParameters" | "body">;

/** Everything that messages read about places of a request. A place is a pointer such as `["body", "rules", "0"]`. */
export type Places = {
  names: (pointer: string[]) => string[];
  /** The names and the values that the contract refuses at a place, each with the reason. */
  refusedNames: (pointer: string[]) => Refusals;
  refusedValues: (pointer: string[]) => Refusals;
  /** The value that the request has at a place. */
  given: (pointer: string[]) => unknown;
};

/** The places of a request by its operation. */
export function readPlaces(
  document: Document,
  operation: RequestDescription | undefined,
  request: { body: unknown; query: unknown },
): Places {
  const schemas = (steps: string[]) => (operation?.body ? schemasAt(document, { $ref: operation.body.schema }, steps) : []);
  const refusals = (extension: "x-refused" | "x-refused-values", steps: string[]): Refusals =>
    Object.assign({}, ...schemas(steps).map((part) => part[extension]));
  return {
    names: ([root, ...steps]) =>
      root === "query" ? queryNames(operation) : [...new Set(schemas(steps).flatMap((part) => Object.keys(part.properties ?? {})))],
    refusedNames: ([root, ...steps]) => (root === "query" ? (operation?.refusedParameters ?? {}) : refusals("x-refused", steps)),
    refusedValues: ([root, ...steps]) => (root === "query" ? {} : refusals("x-refused-values", steps)),
    given: (pointer) => valueAtPointer(request, pointer),
  };
}

/** The names that the contract has at a place of a request. */
export function knownNames(document: Document, operation: RequestDescription | undefined, pointer: string[]): string[] {
  return readPlaces(document, operation, { body: undefined, query: undefined }).names(pointer);
}

/** The properties of a body that are lists and can be sent as their only item. */
export function singlyGiven(document: Document, { body }: RequestDescription): string[] {
  if (!body) return [];
  const properties = schemasAt(document, { $ref: body.schema }, []).flatMap((part) => Object.entries(part.properties ?? {}));
  const marked = properties.filter(([, schema]) => composed(document, schema).some((part) => part["x-one-or-list"]));
  return [...new Set(marked.map(([name]) => name))];
}

/** The value at a place of a request, which has its own steps only. */
function valueAtPointer(root: unknown, steps: string[]): unknown {
  return steps.reduce((value: unknown, step) => (isOwn(value, step) ? value[step] : undefined), root);
}

function isOwn(value: unknown, name: string): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name);
}

export function queryNames(operation: RequestDescription | undefined): string[] {
  return queryParameters(operation).map(({ name }) => name);
}

/** The query parameters that may be null. */
export function nullableQueryNames(operation: RequestDescription | undefined): string[] {
  return queryParameters(operation).flatMap(({ name, isNullable }) => (isNullable ? [name] : []));
}

function queryParameters(operation: RequestDescription | undefined): ParameterDescription[] {
  return operation?.parameters.filter((parameter) => parameter.in === "query") ?? [];
}

/** The schemas that apply at a place inside a schema. */
function schemasAt(document: Document, schema: SchemaNode, [step, ...rest]: string[]): SchemaNode[] {
  const parts = composed(document, schema);
  if (step === undefined) return parts;
  const next = parts.flatMap((part) => (/^\d+$/.test(step) ? (part.items ?? []) : (part.properties?.[step] ?? [])));
  return next.flatMap((part) => schemasAt(document, part, rest));
}

/** A schema and all schemas that it is composed of. */
function composed(document: Document, schema: SchemaNode): SchemaNode[] {
  const target = schema.$ref ? (valueAt(document, schema.$ref) as SchemaNode) : undefined;
  const parts = [...(target ? [target] : []), ...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  return [schema, ...parts.flatMap((part) => composed(document, part))];
}
