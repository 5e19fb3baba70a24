import type { ErrorRequestHandler, Response } from "express";
import type { Logger } from "pino";
import { type AppError, STATUS } from "../../common/errors.ts";
import { ScimError, type ScimType } from "../../scim/scim-error.ts";
import { endCompressed } from "../common/compress.ts";
import { internal, toAppError } from "../common/error-body.ts";

const MEDIA_TYPE = "application/scim+json; charset=utf-8";

/** Sends a response with SCIM's media type. Without a body, sends only the status. */
export function sendScim(response: Response, status: number, body: object | undefined): void {
  response.status(status);
  if (body === undefined) return void response.end();
  response.setHeader("Content-Type", MEDIA_TYPE);
  endCompressed(response, JSON.stringify(body));
}

/** Checks a response against the contract. */
export type CheckScim = (response: Response, status: number, body: object | undefined) => void;

/** Sends every error as RFC 7644 describes it. Logs a bug with its cause; the caller receives no details. */
export function answerScimErrors(log: Logger, check: CheckScim): ErrorRequestHandler {
  return (cause, _request, response, _next) => {
    const error = toAppError(cause);
    const { requestID, operationID: operation } = response.locals;
    if (STATUS[error.code] >= 500) log.error({ err: cause, requestID, operation }, error.message);
    if (response.headersSent) return void response.destroy();
    if (error.retryAfterS !== undefined) response.set("Retry-After", String(error.retryAfterS));
    const status = STATUS[error.code];
    const body = toScimBody(error);
    try {
      check(response, status, body);
      sendScim(response, status, body);
    } catch (undeclared) {
      log.error({ err: undeclared, requestID, operation }, "A response has an error that the contract does not declare.");
      sendScim(response, 500, toScimBody(internal(undeclared as Error)));
    }
  };
}

function toScimBody(error: AppError): object {
  const { message, violations = [] } = error;
  const details = violations.map(({ property, errorMessage }) => `${property} ${errorMessage}.`);
  const scimType = findType(error);
  return {
    schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"],
    status: String(STATUS[error.code]),
    ...(scimType !== undefined && { scimType }),
    detail: [message, ...details].join(" "),
  };
}

function findType(error: AppError): ScimType | undefined {
  if (error instanceof ScimError) return error.scimType;
  return error.code === "invalid_request" ? "invalidValue" : undefined;
}
