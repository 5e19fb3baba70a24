import type { OperationDescription } from "@gatehouse/contract";
import type { ValidateFunction } from "ajv";
import type { Document } from "./document.ts";
import { compileSchema } from "./schemas.ts";

export type ResponseCheck = {
  /** @throws Error that says how the response violates the contract */
  check(status: number, body: unknown): void;
  /** Compiles the schema of a status ahead of the first check. */
  compile(status: number): void;
};

/** Checks the status of a response, and its body if it is JSON, against the contract. */
export function createResponseCheck(document: Document, operation: OperationDescription): ResponseCheck {
  const compiled = new Map<number, ValidateFunction | undefined>();
  const compileOnce = (status: number) => {
    if (!compiled.has(status)) compiled.set(status, compile(document, operation, status));
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

/** Called with a response that violates the contract. */
export type OnViolation = (error: Error, operationID: string) => void;

type Answer = { status: number; body: unknown; operationID: string };

/** @throws Error if the response violates the contract and `onViolation` is undefined */
export function checkAgainst(check: ResponseCheck, { status, body, operationID }: Answer, onViolation: OnViolation | undefined): void {
  try {
    check.check(status, body);
  } catch (error) {
    if (!onViolation) throw error;
    onViolation(error as Error, operationID);
  }
}

function compile(document: Document, { statuses, answers }: OperationDescription, status: number): ValidateFunction | undefined {
  if (!statuses.includes(status)) throw new Error(`A response has the status ${status}, which the contract does not declare.`);
  const schema = answers[status];
  return schema === undefined ? undefined : compileSchema(document, schema, "body");
}
