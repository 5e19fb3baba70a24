import type { IncomingMessage, ServerResponse } from "node:http";
import cors from "cors";
import type { Logger } from "pino";
import { createAccessLog } from "../common/access-log.ts";
import { createErrorAnswer } from "./answer-error.ts";
import { type Exchange, readExchange } from "./exchange.ts";
import { createOperationTable, type EvaluationApi } from "./operation-table.ts";
import { type ExchangeServices, serveExchange } from "./serve-exchange.ts";

/** The paths of the evaluation API. */
const EVALUATION_PATH = /^\/(v1|v2|ofrep)\//;

/** Pages of any origin may call, since requests carry a key and no cookie. */
const answerPreflight = cors({ origin: "*", methods: ["GET", "POST"], maxAge: 86_400 });

type Next = (error?: unknown) => void;

/** The request listener, and the steps that compile its validators before the first requests. */
type EvaluationRouter = {
  serve(request: IncomingMessage, response: ServerResponse, next: Next): void;
  compilations: (() => void)[];
};

/**
 * Serves the evaluation API. It is the hot path, so it does without Express, and its checks are compiled once. Requests
 * of other paths go to `next`.
 */
export function createEvaluationRouter(api: EvaluationApi, services: ExchangeServices & { log: Logger }): EvaluationRouter {
  const { find, operations } = createOperationTable(api);
  const { log, instruments, tracing, strictResponses } = services;
  const record = createAccessLog(log, instruments, tracing);
  const answerError = createErrorAnswer(log, strictResponses);

  const serve: EvaluationRouter["serve"] = (request, response, next) => {
    if (!EVALUATION_PATH.test(request.url ?? "")) {
      next();
      return;
    }
    if (request.method === "OPTIONS") {
      answerPreflight(request, response, next);
      return;
    }
    const start = performance.now();
    const exchange = readExchange(request, response, find);
    response.once("close", () => {
      const { requestID, traceID, pathname, operation } = exchange;
      const milliseconds = performance.now() - start;
      record(response, { requestID, traceID, method: request.method, path: pathname, operation: operation?.operationId, milliseconds });
      countSdk(exchange, response.statusCode, services);
    });
    serveExchange(exchange, services).catch((error: unknown) => answerError(exchange, error));
  };
  return { serve, compilations: operations.map(({ requestCheck }) => requestCheck.compile) };
}

/** Counts a request of an authenticated caller by its SDK. */
function countSdk({ credentials, request, query, metadata, pathname }: Exchange, status: number, { sdkReports }: ExchangeServices): void {
  if (!credentials) return;
  const isOfrep = pathname.startsWith("/ofrep/");
  sdkReports.count(credentials, { headers: request.headers, query, metadata, isOfrep }, status >= 400 ? { status } : {});
}
