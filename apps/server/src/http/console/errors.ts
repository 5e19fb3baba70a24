import type { ErrorRequestHandler, Response } from "express";
import type { Logger } from "pino";
import { type AppError, STATUS } from "../../common/errors.ts";
import { errorBody, internal, toAppError } from "../common/error-body.ts";
import type { SendErrorPage } from "../common/error-page.ts";
import { hideLimit } from "./limit-writes.ts";

/**
 * Sends every error in the contract's shape, or as a page if the operation answers browsers. Logs a bug with its cause; the caller receives no
 * details.
 */
export function answerErrors(log: Logger, sendPage: SendErrorPage): ErrorRequestHandler {
  return (error, request, response, _next) => {
    const appError = toAppError(error);
    const { requestID, traceID, operationID: operation } = response.locals;
    if (STATUS[appError.code] >= 500) log.error({ err: error, requestID, trace_id: traceID, operation }, appError.message);
    if (response.headersSent) return void response.destroy();
    // A read or write sets it before its answer is checked.
    response.removeHeader("ETag");
    const { code, retryAfterS } = appError;
    if (code !== "too_many_requests") hideLimit(response);
    if (retryAfterS !== undefined) response.set("Retry-After", String(retryAfterS));
    if (response.locals.answersPages && response.vary("Accept") && request.accepts("json", "html") === "html")
      return sendPage(response.status(STATUS[code]), appError);
    try {
      answer(response, appError, (body) => response.json(body));
    } catch (undeclared) {
      // In strict mode, `send` throws if the contract does not declare the error.
      log.error(
        { err: undeclared, requestID, trace_id: traceID, operation },
        "A response has an error that the contract does not declare.",
      );
      answer(response, internal(undeclared as Error), (body) => response.type("json").end(JSON.stringify(body)));
    }
  };
}

function answer(response: Response, error: AppError, send: (body: object) => void): void {
  response.status(STATUS[error.code]);
  send(errorBody(error));
}
