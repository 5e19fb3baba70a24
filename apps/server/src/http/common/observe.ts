import type { RequestHandler, Response } from "express";
import type { Logger } from "pino";
import type { Origin } from "../../common/context.ts";
import type { Instruments } from "../../common/instruments.ts";
import type { Tracing } from "../../common/tracing.ts";
import { createAccessLog } from "./access-log.ts";
import type { Callers } from "./callers.ts";
import { nameRequest } from "./request-id.ts";

/** Longer user agents are cut in the audit log. In characters. */
const MAX_USER_AGENT_LENGTH = 256;

/** Adds an id to each request and notes its origin. Logs and counts it when it ends. */
export function observe(
  log: Logger,
  instruments: Instruments,
  tracing: Tracing | undefined,
  { resolveAddress }: Pick<Callers, "resolveAddress">,
): RequestHandler {
  const record = createAccessLog(log, instruments, tracing);
  return (request, response, next) => {
    const start = performance.now();
    const { requestID, traceID } = nameRequest(request);
    Object.assign(response.locals, { requestID, traceID });
    const userAgent = request.get("User-Agent")?.slice(0, MAX_USER_AGENT_LENGTH) ?? null;
    response.locals.origin = { address: resolveAddress(request) || null, userAgent, requestID } satisfies Origin;
    response.set("X-Request-Id", requestID);
    const { method, path } = request;
    response.once("close", () => {
      const operation: string | undefined = response.locals.operationID;
      record(response, { requestID, traceID, method, path, operation, milliseconds: performance.now() - start });
    });
    next();
  };
}

/** Returns the origin of the request. */
export function getOrigin(response: Response): Origin {
  return response.locals.origin;
}
