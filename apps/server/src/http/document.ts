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

/** The statuses that an operation of the document can answer. */
export function declaredStatuses(document: Document, path: string, method: string): number[] {
  return Object.keys(operationAt(document, path, method)?.responses ?? {}).map(Number);
}

/** Whether an operation of the document takes a body. */
export function takesBody(document: Document, path: string, method: string): boolean {
  return operationAt(document, path, method)?.requestBody !== undefined;
}

/** How large a body may be: its bytes, and its JSON values, where every item and property counts at any depth. */
export type BodyLimits = { bytes: number; values: number };

/** The limits of the body of an operation of the document: those that it names, and else those of most. */
export function bodyLimits(document: Document, path: string, method: string): BodyLimits {
  const { "x-body-limit": bytes = 2 ** 20, "x-max-values": values = 100_000 } = operationAt(document, path, method)?.requestBody ?? {};
  return { bytes, values };
}

/** Whether an operation of the document refuses a body that is announced and empty. */
export function refusesEmptyBody(document: Document, path: string, method: string): boolean {
  return operationAt(document, path, method)?.requestBody?.["x-refuses-empty"] === true;
}

/** The scopes that a console key needs for an operation: to write, and those that its `security` names. */
export function scopesFor(document: Document, path: string, method: string): Permission[] {
  const named = (operationAt(document, path, method)?.security ?? []).flatMap((scheme) => Object.values(scheme).flat());
  return [...new Set([...(method === "get" ? [] : (["omni_read_write"] as const)), ...named])];
}

/**
 * Names under a path that are other resources in the service whose clients call here, and not available: `assignment_sources` under
 * `/console/v1/experiments`.
 */
export function unavailableUnder(document: Document, path: string): string[] {
  return operationAt(document, path, "post")?.["x-unavailable"] ?? [];
}

/** The field of an operation's `data` that nothing but the answer to the request itself shows. */
export function shownOnce(document: Document, path: string, method: string): string | undefined {
  return operationAt(document, path, method)?.["x-shown-once"];
}

type OperationParts = {
  responses?: object;
  requestBody?: { "x-body-limit"?: number; "x-max-values"?: number; "x-refuses-empty"?: boolean };
  security?: Record<string, Permission[]>[];
  "x-shown-once"?: string;
  "x-unavailable"?: string[];
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
