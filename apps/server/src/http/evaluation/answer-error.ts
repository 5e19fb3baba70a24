import type { Logger } from "pino";
import { STATUS } from "../../common/errors.ts";
import { errorBody, internal, knownError } from "../common/error-body.ts";
import type { Exchange } from "./exchange.ts";
import { sendResult } from "./send-result.ts";

/** Sends errors in the shape of the operation. Logs a bug with its cause; the caller receives no details. */
export function createErrorAnswer(log: Logger, strictResponses: boolean) {
  return (exchange: Exchange, cause: unknown): void => {
    const { response, requestID, traceID, operation, match } = exchange;
    const error = knownError(cause) ?? internal(cause as Error);
    if (STATUS[error.code] >= 500)
      log.error({ err: cause, requestID, trace_id: traceID, operation: operation?.operationId }, error.message);
    if (response.headersSent) return void response.destroy();
    const body = (operation?.toErrorBody ?? errorBody)(error, match?.parameters ?? {});
    const { retryAfterS } = error;
    const headers: Record<string, string> = retryAfterS === undefined ? {} : { "Retry-After": String(retryAfterS) };
    try {
      if (strictResponses) operation?.responseCheck.check(STATUS[error.code], body);
      void sendResult(exchange, { status: STATUS[error.code], headers, body });
    } catch (undeclared) {
      log.error({ err: undeclared, requestID, trace_id: traceID }, "A response has an error that the contract does not declare.");
      void sendResult(exchange, { status: 500, body: errorBody(internal(undeclared as Error)) });
    }
  };
}
