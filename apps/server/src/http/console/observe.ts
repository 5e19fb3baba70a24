import { randomUUID } from "node:crypto";
import type { RequestHandler } from "express";
import type { Logger } from "pino";
import { createAccessLog } from "../common/access-log.ts";
import type { Metrics } from "../common/metrics.ts";

/** Gives each request an id, and logs and counts it when it ends. */
export function observe(log: Logger, metrics: Metrics): RequestHandler {
  const record = createAccessLog(log, metrics);
  return (request, response, next) => {
    const start = performance.now();
    const requestID = randomUUID();
    response.locals.requestID = requestID;
    response.set("X-Request-Id", requestID);
    const { method, path } = request;
    response.once("close", () => {
      const operation: string | undefined = response.locals.operationID;
      record(response, { requestID, method, path, operation, milliseconds: performance.now() - start });
    });
    next();
  };
}
