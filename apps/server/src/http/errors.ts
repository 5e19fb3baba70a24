import type { ErrorRequestHandler, Request, Response } from "express";
import type { Logger } from "pino";
import { AppError, STATUS } from "../errors.ts";
import { notJson, tooLarge } from "./body-rules.ts";
import type { Document } from "./document.ts";
import { errorBody, internal, knownError } from "./error-body.ts";
import { knownNames } from "./known-names.ts";
import { matchedOperation, unknownParameters } from "./validator.ts";
import { toViolations, type ValidatorError } from "./violations.ts";

type HttpError = Error & { status?: number; type?: string; errors?: ValidatorError[]; path?: string; limit?: number };

/** Answers every error in the contract's shape. A fault of ours goes to the log with its cause, and to the caller without. */
export function answerErrors(document: Document, log: Logger): ErrorRequestHandler {
  return (error, request, response, _next) => {
    const appError = toAppError(error, request, document);
    const { requestID } = response.locals;
    const operation = matchedOperation(request)?.operationId;
    if (STATUS[appError.code] >= 500) log.error({ err: error, requestID, operation }, appError.message);
    if (response.headersSent) return void response.destroy();
    if (appError.code === "unavailable") response.set("Retry-After", "1");
    try {
      answer(response, appError, (body) => response.json(body));
    } catch (undeclared) {
      // The strict validator throws at an error that the contract does not declare.
      log.error({ err: undeclared, requestID, operation }, "An error was answered that the contract does not declare.");
      answer(response, internal(undeclared as Error), (body) => response.type("json").end(JSON.stringify(body)));
    }
  };
}

function answer(response: Response, error: AppError, send: (body: object) => void): void {
  response.status(STATUS[error.code]);
  send(errorBody(error));
}

function toAppError(error: HttpError, request: Request, document: Document): AppError {
  const known = knownError(error);
  if (known) return known;
  switch (error.status) {
    case 400:
      return toBadRequest(error, request, document);
    case 413:
      return tooLarge(error.limit ?? 0);
    case 415:
      return new AppError(
        "unsupported_media_type",
        "The body must be sent as application/json, in UTF-8 and uncompressed or by gzip, deflate or br.",
      );
    default:
      return internal(error);
  }
}

function toBadRequest(error: HttpError, request: Request, document: Document): AppError {
  if (error.type === "entity.parse.failed") return notJson(error.message);
  if (error instanceof URIError) {
    return new AppError("invalid_request", "The request is not valid.", [
      { property: "path", errorMessage: "is not valid percent-encoding" },
    ]);
  }
  const errors = error.errors ?? [{ path: error.path ?? "", message: error.message }];
  return new AppError("invalid_request", "The request is not valid.", [
    ...unknownParameters(document, request),
    ...toViolations(errors, (pointer) => knownNames(document, matchedOperation(request), pointer)),
  ]);
}
