import { at, type Document, placeOf } from "./document.ts";

/** The parts of an operation that tell which names a request may use. */
export type Operation = {
  parameters?: (Parameter | Reference)[];
  requestBody?: { content: Record<string, { schema: SchemaNode }> };
};

type Parameter = { in: string; name: string; schema?: { type?: string | string[] } };
type Reference = { $ref: string };
type SchemaNode = Partial<Reference> & {
  properties?: Record<string, SchemaNode>;
  items?: SchemaNode;
  allOf?: SchemaNode[];
  anyOf?: SchemaNode[];
  oneOf?: SchemaNode[];
};

/** The names that the contract knows at a place of a request, given as a pointer such as `["body", "rules", "0"]`. */
export function knownNames(document: Document, operation: Operation | undefined, [root, ...steps]: string[]): string[] {
  if (root === "query") return queryNames(document, operation);
  return propertyNames(document, operation?.requestBody?.content["application/json"]?.schema, steps);
}

export function queryNames(document: Document, operation: Operation | undefined): string[] {
  return queryParameters(document, operation).map(({ name }) => name);
}

/** The query parameters that may be null. */
export function nullableQueryNames(document: Document, operation: Operation | undefined): string[] {
  const nullable = queryParameters(document, operation).filter(({ schema }) => schema?.type?.includes("null"));
  return nullable.map(({ name }) => name);
}

function queryParameters(document: Document, operation: Operation | undefined): Parameter[] {
  const parameters = (operation?.parameters ?? []).map((one) => ("$ref" in one ? (at(document, placeOf(one.$ref)) as Parameter) : one));
  return parameters.filter((parameter) => parameter.in === "query");
}

function propertyNames(document: Document, schema: SchemaNode | undefined, [step, ...rest]: string[]): string[] {
  const parts = composed(document, schema);
  if (step === undefined) return [...new Set(parts.flatMap((part) => Object.keys(part.properties ?? {})))];
  const next = parts.flatMap((part) => (/^\d+$/.test(step) ? (part.items ?? []) : (part.properties?.[step] ?? [])));
  return [...new Set(next.flatMap((part) => propertyNames(document, part, rest)))];
}

/** A schema and all that it is composed of. */
function composed(document: Document, schema: SchemaNode | undefined): SchemaNode[] {
  if (!schema) return [];
  const target = schema.$ref ? (at(document, placeOf(schema.$ref)) as SchemaNode) : undefined;
  const parts = [target, ...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  return [schema, ...parts.flatMap((part) => composed(document, part))];
}
