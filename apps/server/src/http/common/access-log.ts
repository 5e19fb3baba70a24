import type { ServerResponse } from "node:http";
import type { Logger } from "pino";
import type { Instruments } from "../../common/instruments.ts";
import type { Tracing } from "../../common/tracing.ts";
import type { RequestName } from "./request-id.ts";

type Served = RequestName & { method: string | undefined; path: string; operation: string | undefined; milliseconds: number };

/** Logs and counts each request when it ends, without its query, headers or body. 499 means that the caller closed the connection early. */
export function createAccessLog(log: Logger, { requests }: Pick<Instruments, "requests">, tracing?: Tracing) {
  return (response: ServerResponse, { requestID, traceID, method, path, operation = "none", milliseconds }: Served): void => {
    const status = response.writableFinished ? response.statusCode : 499;
    requests.observe({ operation, status }, milliseconds / 1000);
    const write = () => {
      log.info({ requestID, trace_id: traceID, method, path, operation, status, ms: Math.round(milliseconds * 10) / 10 }, "request");
    };
    if (operation !== "none") tracing?.nameOperation(response, operation);
    if (tracing) tracing.within(response, write);
    else write();
  };
}
