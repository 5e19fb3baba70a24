import type { Permission } from "../context.ts";
import { at, type Document, operationAt, placeOf } from "./document.ts";

/** What serving an operation needs to know of it, beside what the console API's router does. */
type OperationParts = {
  responses?: Record<string, object>;
  parameters?: (ParameterParts | Reference)[];
  requestBody?: { required?: boolean; content: Record<string, { schema: object }>; "x-items-checked-singly"?: boolean };
  security?: Record<string, unknown>[];
  "x-server-keys-only"?: boolean;
  "x-client-scope"?: Permission;
};
export type ParameterParts = { name: string; in: string; required?: boolean };
type Reference = { $ref: string };

export function partsOf(document: Document, path: string, method: string): OperationParts {
  return operationAt(document, path, method) as OperationParts;
}

/** The parameters of an operation and of its path, each with the names that lead to it in the document. */
export function parameterPlaces(document: Document, path: string, method: string): (ParameterParts & { place: string[] })[] {
  const ofPath = (document.paths[path] as { parameters?: (ParameterParts | Reference)[] }).parameters ?? [];
  const ofOperation = partsOf(document, path, method).parameters ?? [];
  return [
    ...ofPath.map((one, index) => resolved(document, one, ["paths", path, "parameters", String(index)])),
    ...ofOperation.map((one, index) => resolved(document, one, ["paths", path, method, "parameters", String(index)])),
  ];
}

function resolved(document: Document, one: ParameterParts | Reference, own: string[]): ParameterParts & { place: string[] } {
  const place = "$ref" in one ? placeOf(one.$ref) : own;
  const { name, in: where, required = false } = at(document, place) as ParameterParts;
  return { name, in: where, required, place };
}
