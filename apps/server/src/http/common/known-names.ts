import { type OperationDescription, type ParameterDescription, valueAt } from "@gatehouse/contract";
import type { Document } from "./document.ts";

type SchemaNode = {
  $ref?: string;
  properties?: Record<string, SchemaNode>;
  items?: SchemaNode;
  allOf?: SchemaNode[];
  anyOf?: SchemaNode[];
  oneOf?: SchemaNode[];
};

/** The parts of an operation's description that determine the names a request may use. */
type RequestDescription = Pick<OperationDescription, "parameters" | "body">;

/** The names that the contract has at a place of a request, given as a pointer such as `["body", "rules", "0"]`. */
export function knownNames(document: Document, operation: RequestDescription | undefined, [root, ...steps]: string[]): string[] {
  if (root === "query") return queryNames(operation);
  return operation?.body ? propertyNames(document, { $ref: operation.body.schema }, steps) : [];
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

function propertyNames(document: Document, schema: SchemaNode, [step, ...rest]: string[]): string[] {
  const parts = composed(document, schema);
  if (step === undefined) return [...new Set(parts.flatMap((part) => Object.keys(part.properties ?? {})))];
  const next = parts.flatMap((part) => (/^\d+$/.test(step) ? (part.items ?? []) : (part.properties?.[step] ?? [])));
  return [...new Set(next.flatMap((part) => propertyNames(document, part, rest)))];
}

/** A schema and all schemas that it is composed of. */
function composed(document: Document, schema: SchemaNode): SchemaNode[] {
  const target = schema.$ref ? (valueAt(document, schema.$ref) as SchemaNode) : undefined;
  const parts = [...(target ? [target] : []), ...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  return [schema, ...parts.flatMap((part) => composed(document, part))];
}
