import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import cors from "cors";
import type { Logger } from "pino";
import { loggablePath } from "../loggable-path.ts";
import type { Metrics } from "../metrics.ts";
import { createErrorAnswer } from "./answer-error.ts";
import { type Exchange, readExchange } from "./exchange.ts";
import { createOperationTable, type EvaluationApi } from "./operation-table.ts";
import { type Surroundings, serveExchange } from "./serve-exchange.ts";

/** Where the evaluation API is. */
const OURS = /^\/(v1|v2|ofrep)\//;

/** Pages of any origin may call: they bring their key along, and no cookie. */
const answerPreflight = cors({ origin: "*", methods: ["GET", "POST"], maxAge: 86_400 });

type Next = (error?: unknown) => void;

/**
 * Serves the evaluation API. Applications call it all the time, so it does with less what the console API's router does: without Express,
 * and with checks that are compiled once. What is not under its paths goes to `next`.
 */
export function createEvaluationRouter(api: EvaluationApi, surroundings: Surroundings & { log: Logger; metrics: Metrics }) {
  const find = createOperationTable(api);
  const { log, metrics, strictResponses } = surroundings;
  const answerError = createErrorAnswer(log, strictResponses);

  return (request: IncomingMessage, response: ServerResponse, next: Next): void => {
    if (!OURS.test(request.url ?? "")) {
      next();
      return;
    }
    if (request.method === "OPTIONS") {
      answerPreflight(request, response, next);
      return;
    }
    const start = performance.now();
    const exchange = readExchange(request, response, { requestID: randomUUID(), find });
    response.once("close", () => observe(exchange, performance.now() - start));
    serveExchange(exchange, surroundings).catch((error: unknown) => answerError(exchange, error));
  };

  /** Tells the log and the metrics how a request ended: never its key, headers or body. */
  function observe({ request, response, requestID, pathname, operation }: Exchange, milliseconds: number): void {
    const status = response.writableFinished ? response.statusCode : 499;
    const operationID = operation?.operationID ?? "none";
    metrics.requests.observe({ operation: operationID, status }, milliseconds / 1000);
    const ms = Math.round(milliseconds * 10) / 10;
    log.info({ requestID, method: request.method, path: loggablePath(pathname), operation: operationID, status, ms }, "request");
  }
}
