import type { ValidateFunction } from "ajv";
import { partsOf } from "./contract-places.ts";
import { at, type Document, placeOf } from "./document.ts";
import { compileSchema } from "./schemas.ts";

export type ResponseCheck = {
  /** @throws Error that says how an answer breaks the contract */
  check(status: number, body: unknown): void;
  /** Compiles the schema of a status, which the first check does otherwise. */
  compile(status: number): void;
};

/** Checks the status and, where there is a body of JSON, the body against the contract. */
export function createResponseCheck(document: Document, path: string, method: string): ResponseCheck {
  const compiled = new Map<number, ValidateFunction | undefined>();
  const compileOnce = (status: number) => {
    if (!compiled.has(status)) compiled.set(status, compile(document, path, method, status));
    return compiled.get(status);
  };
  return {
    compile: compileOnce,
    check(status, body) {
      const validate = compileOnce(status);
      if (body === undefined || !validate || validate(body)) return;
      const faults = (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || "the body"} ${message}`);
      throw new Error(`A response of status ${status} breaks the contract: ${faults.join(", ")}.`);
    },
  };
}

function compile(document: Document, path: string, method: string, status: number): ValidateFunction | undefined {
  const response = partsOf(document, path, method).responses?.[status] as { $ref?: string } | undefined;
  if (!response) throw new Error(`A response has the status ${status}, which the contract does not declare.`);
  const place = response.$ref === undefined ? ["paths", path, method, "responses", String(status)] : placeOf(response.$ref);
  const { content } = at(document, place) as { content?: Record<string, unknown> };
  return content?.["application/json"] ? compileSchema(document, [...place, "content", "application/json", "schema"], "body") : undefined;
}
