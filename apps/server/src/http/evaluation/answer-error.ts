import type { Logger } from "pino";
import { AppError, STATUS, unavailable } from "../../errors.ts";
import { isConnectionLoss } from "../../store/database-errors.ts";
import { internal } from "../errors.ts";
import type { Exchange } from "./exchange.ts";
import { sendResult } from "./send-result.ts";

/** Answers errors in the shape of the operation. A fault of ours goes to the log with its cause, and to the caller without. */
export function createErrorAnswer(log: Logger, strictResponses: boolean) {
  return (exchange: Exchange, cause: unknown): void => {
    const { response, requestID, operation, match } = exchange;
    const error = toAppError(cause);
    if (STATUS[error.code] >= 500) log.error({ err: cause, requestID, operation: operation?.operationID }, error.message);
    if (response.headersSent) return void response.destroy();
    const body = (operation?.toErrorBody ?? houseBody)(error, match?.parameters ?? {});
    const headers: Record<string, string> = error.code === "unavailable" ? { "Retry-After": "1" } : {};
    try {
      if (strictResponses) operation?.checkResponse(STATUS[error.code], body);
      void sendResult(exchange, { status: STATUS[error.code], headers, body });
    } catch (undeclared) {
      log.error({ err: undeclared, requestID }, "An error was answered that the contract does not declare.");
      void sendResult(exchange, { status: 500, body: houseBody(internal(undeclared as Error)) });
    }
  };
}

function houseBody({ code, message, violations }: AppError): object {
  return { status: STATUS[code], code, message, ...(violations && { errors: violations }) };
}

function toAppError(cause: unknown): AppError {
  if (cause instanceof AppError) return cause;
  return isConnectionLoss(cause) ? unavailable(cause) : internal(cause as Error);
}
