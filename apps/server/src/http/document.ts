import type { Permission } from "../context.ts";

/** An OpenAPI document as generated from the contract. */
export type Document = {
  openapi: string;
  info: unknown;
  servers?: { url: string }[];
  paths: Record<string, object>;
  components?: Components;
};

/** By kind and name: `schemas`, `responses`, … */
type Components = Record<string, Record<string, unknown>>;

const REFERENCE = /"\$ref":"#\/components\/(\w+)\/([^"]+)"/g;

/** The document with one path and only the components that it needs, for the validator. */
export function excerpt(document: Document, path: string): Document {
  const item = document.paths[path];
  if (!item) throw new Error(`The contract has no path ${path}.`);
  const components: Components = {};
  collect(document, item, components);
  const { openapi, info } = document;
  return { openapi, info, servers: [{ url: "/" }], paths: { [path]: item }, components: allowReserved(components) };
}

/** Query parameters with `allowReserved`: else the validator refuses `+` for a blank, and the `*` or `'` that few clients encode. */
function allowReserved({ parameters = {}, ...components }: Components): Components {
  const allowed = Object.entries(parameters).map(([name, parameter]) => [name, { ...(parameter as object), allowReserved: true }]);
  return { ...components, parameters: Object.fromEntries(allowed) };
}

function collect(document: Document, node: object, found: Components): void {
  for (const [, kind, name] of JSON.stringify(node).matchAll(REFERENCE) as Iterable<[string, string, string]>) {
    if (found[kind]?.[name] !== undefined) continue;
    const component = document.components?.[kind]?.[name] as object;
    found[kind] = { ...found[kind], [name]: component };
    collect(document, component, found);
  }
}

/** The methods that a path of the document has, in capitals. */
export function methodsOf(item: object): string[] {
  return Object.keys(item)
    .filter((name) => name !== "parameters")
    .map((method) => method.toUpperCase());
}

/** Whether an operation of the document can answer a status. */
export function declares(document: Document, path: string, method: string, status: number): boolean {
  return String(status) in (operationAt(document, path, method)?.responses ?? {});
}

/** Whether an operation of the document takes a body. */
export function takesBody(document: Document, path: string, method: string): boolean {
  return operationAt(document, path, method)?.requestBody !== undefined;
}

/** The largest body that an operation of the document takes, bytes, where it says so. */
export function bodyLimit(document: Document, path: string, method: string): number | undefined {
  return operationAt(document, path, method)?.requestBody?.["x-body-limit"];
}

/** Whether an operation at a path takes a larger body than others. */
export function takesLargeBodies(document: Document, path: string): boolean {
  return methodsOf(document.paths[path] as object).some((method) => bodyLimit(document, path, method.toLowerCase()) !== undefined);
}

/** The scopes that a console key needs for an operation: to write, and those that its `security` names. */
export function scopesFor(document: Document, path: string, method: string): Permission[] {
  const named = (operationAt(document, path, method)?.security ?? []).flatMap((scheme) => Object.values(scheme).flat());
  return [...new Set([...(method === "get" ? [] : (["omni_read_write"] as const)), ...named])];
}

/** The field of an operation's `data` that nothing but the answer to the request itself shows. */
export function shownOnce(document: Document, path: string, method: string): string | undefined {
  return operationAt(document, path, method)?.["x-shown-once"];
}

type OperationParts = {
  responses?: object;
  requestBody?: { "x-body-limit"?: number };
  security?: Record<string, Permission[]>[];
  "x-shown-once"?: string;
};

/** What stands at a place of the document, given as the names that lead to it. */
export function at(document: Document, place: string[]): unknown {
  return place.reduce<unknown>((node, step) => (node as Record<string, unknown>)[step], document);
}

/** The place of a component that is named as `#/components/schemas/Gate`. */
export function placeOf(reference: string): string[] {
  return reference.split("/").slice(1);
}

/** An operation of the document. */
export function operationAt(document: Document, path: string, method: string): OperationParts | undefined {
  return (document.paths[path] as Record<string, OperationParts> | undefined)?.[method];
}
