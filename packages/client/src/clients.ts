import type { Route } from "@gatehouse/contract";
import {
  type operations as ConsoleOperations,
  type paths as ConsolePaths,
  routes as consoleRoutes,
  type Schema,
} from "@gatehouse/contract/console";
import {
  type operations as EvaluationOperations,
  type paths as EvaluationPaths,
  routes as evaluationRoutes,
} from "@gatehouse/contract/evaluation";
import createFetchClient, { type Client } from "openapi-fetch";
import { asksModel } from "./asks-model.ts";
import type { BatchMethod, ScheduleBatch } from "./batch.ts";
import { ConsoleApiError, isReviewRequested, ReviewRequiredError } from "./error.ts";
import { IDEMPOTENCY_KEY, idempotencyKeys, randomKey } from "./idempotency-key.ts";
import { beginLimit } from "./limit.ts";
import type { Methods, ScheduleMethods } from "./method.ts";
import { isRetrying, type RetryOptions, retrying } from "./retry.ts";

export type ClientOptions = ConnectionOptions & {
  /** A console key; for the evaluation API a key of any type. */
  apiKey: string;
};

/** The options of a client of the console API, which acts either with a key, or for a person who is signed in. */
export type ConsoleClientOptions = ConnectionOptions & (KeyOptions | SessionOptions);

type KeyOptions = {
  /** A console key. Its project is that of the requests. */
  apiKey: string;
  session?: never;
  projectID?: never;
};

type SessionOptions = {
  apiKey?: never;
  /** The `session` that `createSession` or `redeemToken` returned. In a page of the server's origin the browser sends it by itself. */
  session?: string | undefined;
  /** The project of the requests, by its id. Without it, they are for the person's default project. */
  projectID?: string | undefined;
};

type ConnectionOptions = {
  /** The server's URL, for example `http://127.0.0.1:4000`. */
  baseUrl: string;
  /** The function that sends requests. Defaults to the platform's `fetch`. */
  fetch?: ((request: Request) => Promise<Response>) | undefined;
  /** The most time of a call, in ms, with its retries. After it, the call throws a `TimeoutError`. Defaults to 60,000; `Infinity` sets no limit. */
  timeoutMs?: number | undefined;
  /**
   * How calls are retried after 429, 502, 503, 504 and network errors. Calls that send a prompt to a model are retried
   * only after 429, because a retry could be charged again.
   */
  retry?: Partial<RetryOptions> | undefined;
};

/** One method for each operation of the console API; `raw` is the openapi-fetch client below them. */
export type ConsoleClient = Omit<Methods<ConsoleOperations>, "batch"> & {
  /** Executes up to 500 requests in their order, in one transaction: all of them, or none. */
  batch: BatchMethod;
  /** The same methods for writes that are applied later, at `query.applyAt`. They return the scheduled change. */
  schedule: Omit<ScheduleMethods<ConsoleOperations>, "batch"> & { batch: ScheduleBatch };
  raw: Client<ConsolePaths>;
};

/** One method for each operation of the evaluation API that responds with JSON; `raw` is the openapi-fetch client below them. */
export type EvaluationClient = Methods<EvaluationOperations> & { raw: Client<EvaluationPaths> };

/** A client of the management API. @throws TypeError if it is given both a key and a session or project */
export function createConsoleClient(options: ConsoleClientOptions): ConsoleClient {
  const { batch, ...client } = createClient<ConsolePaths, ConsoleOperations>(options, consoleRoutes);
  const sendBatch = ({ requests, impactUsers, ...given }: { requests: never; impactUsers?: Schema<"PreviewUser">[] }) =>
    batch({ ...given, body: { requests, ...(impactUsers && { impactUsers }) } });
  const methods = { ...client, batch: sendBatch as unknown as BatchMethod };
  return { ...methods, schedule: methods as unknown as ConsoleClient["schedule"] };
}

/** A client of the API that applications call. */
export function createEvaluationClient(options: ClientOptions): EvaluationClient {
  const client = createClient<EvaluationPaths, EvaluationOperations>(options, evaluationRoutes);
  if (!isRetrying(options.retry)) return client;
  // Without an id, a batch whose response was lost would be stored again.
  return { ...client, logEvent: ({ body, ...request }) => client.logEvent({ ...request, body: { deliveryID: randomKey(), ...body } }) };
}

/** The cookie has one of these names, depending on whether callers reach the server by https, and below a path. */
const SESSION_COOKIES = ["gatehouse_session", "__Host-gatehouse_session", "__Secure-gatehouse_session"];
const DEFAULT_TIMEOUT_MS = 60_000;
/** The build writes the package's version. */
const VERSION = "development";

type AnyRequest = {
  path?: Record<string, unknown>;
  query?: object;
  body?: unknown;
  ifMatch?: string;
  idempotencyKey?: string;
  signal?: AbortSignal;
};
type AnyResult = { data?: string; error?: unknown; response: Response };
type AnyCall = (method: string, path: string, init: object) => Promise<AnyResult>;

function createClient<Paths extends object, Operations>(options: ConsoleClientOptions, routes: Record<string, Route>) {
  const fetch = options.fetch ?? ((request: Request) => globalThis.fetch(request));
  const baseUrl = checkedBaseUrl(options.baseUrl);
  const raw = createFetchClient<Paths>({
    baseUrl,
    headers: { ...credentialHeaders(options), ...userAgent() },
    // The server never redirects. Following a redirect could send the key to another host, or turn a POST into a GET.
    redirect: "manual",
    // A browser sends the session to the page's own origin, and to no other.
    credentials: "same-origin",
    fetch: retrying(fetch, options.retry, asksModel(routes, baseUrl)),
  });
  if (isRetrying(options.retry)) raw.use(idempotencyKeys(routes));
  const call = raw.request as unknown as AnyCall;
  const answeringJSON = Object.entries(routes).filter(([, { answersText }]) => !answersText);
  const methods = answeringJSON.map(([operationId, { method, path }]) => [
    operationId,
    async (request: AnyRequest = {}) => {
      checkPath(operationId, path, request.path);
      const limit = beginLimit(operationId, options.timeoutMs ?? DEFAULT_TIMEOUT_MS, request.signal);
      const { data, error, response } = await call(method, path, {
        params: { path: request.path, query: request.query, header: requestHeaders(request) },
        body: request.body,
        signal: limit.signal,
        parseAs: "text",
      }).finally(limit.end);
      if (!response.ok) throw new ConsoleApiError(operationId, response, error);
      const body = data ? parse(operationId, response, data) : undefined;
      if (isReviewRequested(response, body)) throw new ReviewRequiredError(operationId, body);
      const facts = readFacts(response.headers);
      return facts ? { ...body, ...facts } : body;
    },
  ]);
  return { ...(Object.fromEntries(methods) as Methods<Operations>), raw };
}

function credentialHeaders({ apiKey, session, projectID }: ConsoleClientOptions): Record<string, string> {
  if (apiKey !== undefined) {
    if (session !== undefined || projectID !== undefined)
      throw new TypeError(
        "apiKey excludes session and projectID: a client acts with a key, which has a project of its own, or for a person.",
      );
    return { "SERVICE-API-KEY": apiKey };
  }
  return {
    ...(session !== undefined && {
      Cookie: SESSION_COOKIES.map((name) => `${name}=${session}`).join("; "),
      "Sec-Fetch-Site": "same-origin",
    }),
    ...(projectID !== undefined && { "GATEHOUSE-PROJECT": projectID }),
  };
}

/** Browsers name themselves: there, the header would need the permission of another origin. */
function userAgent(): Record<string, string> {
  const isBrowser = "document" in globalThis || "WorkerGlobalScope" in globalThis;
  return isBrowser ? {} : { "User-Agent": `gatehouse-client/${VERSION}` };
}

function requestHeaders({ ifMatch, idempotencyKey }: AnyRequest): Record<string, string> {
  return {
    ...(ifMatch !== undefined && { "If-Match": ifMatch }),
    ...(idempotencyKey !== undefined && { [IDEMPOTENCY_KEY]: idempotencyKey }),
  };
}

/** The fields of a result that come from headers, if any. */
function readFacts(headers: Headers): { etag?: string; isReplayed?: true; session?: string } | undefined {
  const etag = headers.get("ETag");
  const isReplayed = headers.get("Idempotency-Replayed") === "true";
  // Browsers keep the cookie, and do not show it.
  const [, session] = /gatehouse_session=([^;]+)/.exec(headers.get("Set-Cookie") ?? "") ?? [];
  if (etag === null && !isReplayed && session === undefined) return undefined;
  return { ...(etag !== null && { etag }), ...(isReplayed && { isReplayed }), ...(session !== undefined && { session }) };
}

function checkedBaseUrl(baseUrl: string): string {
  if (!URL.canParse(baseUrl) || !/^https?:/i.test(baseUrl)) {
    throw new TypeError(
      `baseUrl must be the server's http or https URL, such as http://127.0.0.1:4000, and is ${JSON.stringify(baseUrl)}.`,
    );
  }
  return baseUrl.replace(/\/+$/, "");
}

/** A parameter that is empty, "." or ".." would address another operation. */
function checkPath(operationId: string, path: string, given: Record<string, unknown> = {}): void {
  for (const [, name] of path.matchAll(/\{(\w+)\}/g) as Iterable<[string, string]>) {
    const value = given[name] ?? "";
    if (value === "" || value === "." || value === "..") {
      throw new TypeError(`${operationId}: the path parameter ${name} must name something, and is ${JSON.stringify(given[name])}.`);
    }
  }
}

function parse(operationId: string, response: Response, text: string): object {
  try {
    return JSON.parse(text);
  } catch {
    throw new ConsoleApiError(operationId, response, text);
  }
}
