import type { ValidateFunction } from "ajv";
import { at, type Document, placeOf } from "../document.ts";
import { partsOf } from "./contract-places.ts";
import { compileSchema } from "./schemas.ts";

/** @throws Error that says how an answer breaks the contract */
export type ResponseCheck = (status: number, body: unknown) => void;

/** Checks the status and, where there is a body of JSON, the body against the contract. */
export function createResponseCheck(document: Document, path: string, method: string): ResponseCheck {
  const compiled = new Map<number, ValidateFunction | undefined>();
  return (status, body) => {
    if (!compiled.has(status)) compiled.set(status, compile(document, path, method, status));
    const validate = compiled.get(status);
    if (body === undefined || !validate || validate(body)) return;
    const faults = (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || "the body"} ${message}`);
    throw new Error(`A response of status ${status} breaks the contract: ${faults.join(", ")}.`);
  };
}

function compile(document: Document, path: string, method: string, status: number): ValidateFunction | undefined {
  const response = partsOf(document, path, method).responses?.[status] as { $ref?: string } | undefined;
  if (!response) throw new Error(`A response has the status ${status}, which the contract does not declare.`);
  const place = response.$ref === undefined ? ["paths", path, method, "responses", String(status)] : placeOf(response.$ref);
  const { content } = at(document, place) as { content?: Record<string, unknown> };
  return content?.["application/json"] ? compileSchema(document, [...place, "content", "application/json", "schema"]) : undefined;
}
