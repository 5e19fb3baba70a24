import type { Route } from "@gatehouse/contract";
import { type operations as ConsoleOperations, type paths as ConsolePaths, routes as consoleRoutes } from "@gatehouse/contract/console";
import {
  type operations as EvaluationOperations,
  type paths as EvaluationPaths,
  routes as evaluationRoutes,
} from "@gatehouse/contract/evaluation";
import createFetchClient, { type Client } from "openapi-fetch";
import { ConsoleApiError } from "./error.ts";
import type { Methods } from "./method.ts";
import { DEFAULT_RETRY, type RetryOptions, retrying } from "./retry.ts";

export type ClientOptions = {
  /** Where the server is, for example `http://127.0.0.1:4000`. */
  baseUrl: string;
  /** A console key. */
  apiKey: string;
  /** What sends the requests. The platform's own `fetch` if not given. */
  fetch?: (request: Request) => Promise<Response>;
  /** How calls that may be repeated are repeated after 429, 503 and network errors. */
  retry?: Partial<RetryOptions>;
};

/** One method for each operation of the console API; `raw` is the openapi-fetch client below them. */
export type ConsoleClient = Methods<ConsoleOperations> & { raw: Client<ConsolePaths> };

/** One method for each operation of the evaluation API; `raw` is the openapi-fetch client below them. */
export type EvaluationClient = Methods<EvaluationOperations> & { raw: Client<EvaluationPaths> };

/** A client of the management API. */
export function createConsoleClient(options: ClientOptions): ConsoleClient {
  return createClient<ConsolePaths, ConsoleOperations>(options, consoleRoutes);
}

/** A client of the API that applications call. */
export function createEvaluationClient(options: ClientOptions): EvaluationClient {
  return createClient<EvaluationPaths, EvaluationOperations>(options, evaluationRoutes);
}

type AnyRequest = { path?: object; query?: object; body?: unknown; ifMatch?: string; signal?: AbortSignal };
type AnyResult = { data?: object; error?: unknown; response: Response };
type AnyCall = (method: string, path: string, init: object) => Promise<AnyResult>;

function createClient<Paths extends object, Operations>(options: ClientOptions, routes: Record<string, Route>) {
  const fetch = options.fetch ?? ((request: Request) => globalThis.fetch(request));
  const raw = createFetchClient<Paths>({
    baseUrl: options.baseUrl,
    headers: { "SERVICE-API-KEY": options.apiKey },
    fetch: retrying(fetch, { ...DEFAULT_RETRY, ...options.retry }),
  });
  const call = raw.request as unknown as AnyCall;
  const methods = Object.entries(routes).map(([operationId, { method, path }]) => [
    operationId,
    async (request: AnyRequest = {}) => {
      const { data, error, response } = await call(method, path, {
        params: { path: request.path, query: request.query, header: request.ifMatch === undefined ? {} : { "If-Match": request.ifMatch } },
        body: request.body,
        signal: request.signal,
      });
      if (!response.ok) throw new ConsoleApiError(operationId, response, error);
      const etag = response.headers.get("ETag");
      return etag === null ? data : { ...data, etag };
    },
  ]);
  return { ...(Object.fromEntries(methods) as Methods<Operations>), raw };
}
