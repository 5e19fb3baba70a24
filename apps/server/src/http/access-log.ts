import type { ServerResponse } from "node:http";
import type { Logger } from "pino";
import type { Metrics } from "./metrics.ts";

type Served = { requestID: string; method: string | undefined; path: string; operation: string | undefined; milliseconds: number };

const KEY = /\b(console|secret|client)-[\w-]{16,}/g;

/** Tells the log and the metrics how each request ended: never its key, headers or body. 499 is who left before the end. */
export function createAccessLog(log: Logger, metrics: Metrics) {
  return (response: ServerResponse, { requestID, method, path, operation = "none", milliseconds }: Served): void => {
    const status = response.writableFinished ? response.statusCode : 499;
    metrics.requests.observe({ operation, status }, milliseconds / 1000);
    log.info({ requestID, method, path: loggablePath(path), operation, status, ms: Math.round(milliseconds * 10) / 10 }, "request");
  };
}

/** A path as the log may have it: a key in it, as it is or percent-encoded, shows its prefix alone. */
export function loggablePath(path: string): string {
  const decoded = path.replaceAll(/%([2-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  const redacted = decoded.replaceAll(KEY, "$1-…");
  return redacted === decoded ? path : redacted;
}
