import { randomUUID } from "node:crypto";
import type { RequestHandler } from "express";
import type { Logger } from "pino";
import { loggablePath } from "./loggable-path.ts";
import type { Metrics } from "./metrics.ts";
import { matchedOperation } from "./validator.ts";

/** Names each request, and tells the log and the metrics how it ended: never its headers or body. */
export function observe(log: Logger, metrics: Metrics): RequestHandler {
  return (request, response, next) => {
    const start = performance.now();
    const requestID = randomUUID();
    response.locals.requestID = requestID;
    response.set("X-Request-Id", requestID);
    const { method, path } = request;
    response.once("close", () => {
      const milliseconds = performance.now() - start;
      const operation = matchedOperation(request)?.operationId ?? "none";
      const status = response.writableFinished ? response.statusCode : 499;
      metrics.requests.observe({ operation, status }, milliseconds / 1000);
      log.info({ requestID, method, path: loggablePath(path), operation, status, ms: Math.round(milliseconds * 10) / 10 }, "request");
    });
    next();
  };
}
