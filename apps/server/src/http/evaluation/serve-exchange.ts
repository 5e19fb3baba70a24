import type { Scope } from "@gatehouse/contract";
import type { PathTokens } from "../../authentication/path-tokens.ts";
import type { Authenticate, Credentials } from "../../common/context.ts";
import { AppError, forbidden } from "../../common/errors.ts";
import type { Instruments } from "../../common/instruments.ts";
import { redactKeys } from "../../common/redact-keys.ts";
import type { Tracing } from "../../common/tracing.ts";
import type { EvaluationEnv } from "../../evaluation/binding.ts";
import type { Callers } from "../common/callers.ts";
import type { LargeBodies, Turn } from "../common/large-bodies.ts";
import type { Exchange } from "./exchange.ts";
import type { EvaluationOperation, Result } from "./operation-table.ts";
import { presentedKey } from "./presented-key.ts";
import { readBody } from "./request-body.ts";
import type { RequestLimiter } from "./request-limiter.ts";
import { sendResult } from "./send-result.ts";
import type { SharedCaching } from "./shared-caching.ts";

/** Differs from the console API's message, since the evaluation API accepts other headers. */
const UNAUTHENTICATED_MESSAGE = "An active key is needed, as Authorization: Bearer or X-API-Key.";

/** The services that requests are served with. */
export type ExchangeServices = Pick<EvaluationEnv, "rulesets" | "intake" | "flagStreams" | "sdkReports"> & {
  authenticate: Authenticate;
  tokens: PathTokens;
  callers: Callers;
  largeBodies: LargeBodies;
  instruments: Pick<Instruments, "requests" | "evaluations">;
  tracing?: Tracing | undefined;
  /** If undefined, requests have no limit. */
  requestLimiter: RequestLimiter | undefined;
  sharedCaching: SharedCaching;
  idListFiles(context: Credentials & { operationID: string; now: number }): EvaluationEnv["idListFiles"];
  now: () => number;
  /** Fail a request whose response violates the contract. Otherwise responses are not checked. */
  strictResponses: boolean;
};

/** Reads a request, calls its handler and sends the result. @throws AppError, and all errors of the handler */
export async function serveExchange(exchange: Exchange, services: ExchangeServices): Promise<void> {
  const ip = services.callers.resolveAddress(exchange.request);
  const caller = await identify(exchange, ip, services);
  if (exchange.operation) services.requestLimiter?.take(exchange.operation.sort, caller.credentials);
  const turn = services.largeBodies.turn(caller.credentials.projectID);
  const result = await handle(exchange, services, caller, turn).finally(turn.end);
  const caching = services.sharedCaching(exchange, caller);
  await sendResult(exchange, caching ? { ...result, headers: { ...result.headers, ...caching } } : result);
}

type Caller = { secret: string; credentials: Credentials; ip: string };

async function handle(exchange: Exchange, services: ExchangeServices, { secret, credentials, ip }: Caller, turn: Turn): Promise<Result> {
  const { request, match, query } = exchange;
  const operation = requireOperation(exchange);
  const { requestCheck } = operation;
  const body = operation.body && (await readBody(request, query, operation.body, turn));
  exchange.metadata = (body as { statsigMetadata?: unknown } | null | undefined)?.statsigMetadata;
  const now = services.now();
  const checked = requestCheck.check({ path: match?.parameters ?? {}, query, body });
  const handled = operation.handler({
    path: checked.path,
    query: checked.query,
    body: checked.body,
    caller: { credentials, ip, userAgent: request.headers["user-agent"], now },
    headers: request.headers as EvaluationEnv["headers"],
    baseUrl: services.callers.resolveBaseUrl(request),
    basePath: services.callers.basePath,
    rulesets: services.rulesets,
    intake: services.intake,
    flagStreams: services.flagStreams,
    sdkReports: services.sdkReports,
    noteEvaluations(count, read) {
      services.instruments.evaluations.inc({ operation: operation.operationId }, count);
      if (read) services.tracing?.noteFlags(exchange.response, read);
    },
    tokenFor: (target) => services.tokens.issue(secret, credentials, target),
    idListFiles: services.idListFiles({ ...credentials, operationID: operation.operationId, now }),
  });
  // From here on the handler may wait, for example for the database, without blocking other large bodies.
  turn.end();
  const result = await handled;
  if (services.strictResponses) operation.responseCheck.check(result.status, await parseBody(result));
  return result;
}

async function parseBody(result: Result): Promise<unknown> {
  if ("json" in result) return JSON.parse(Buffer.concat(result.json).toString());
  return "sendable" in result ? JSON.parse(Buffer.concat(await result.sendable.pieces("identity")).toString()) : result.body;
}

/** Authenticates the caller before anything else of the request is read. @throws AppError unauthorized, forbidden */
async function identify(exchange: Exchange, ip: string, { authenticate, tokens }: ExchangeServices): Promise<Caller> {
  const { request, match, operation, pathname, query } = exchange;
  if (operation?.opensBy === "token") {
    const credentials = await tokens.open(query.get("token") ?? "", pathname, ip);
    exchange.credentials = credentials;
    return { secret: "", credentials, ip };
  }
  const secret = presentedKey(request.headers, query, match?.parameters ?? {});
  const credentials = await authenticate(secret, ip).catch((error: unknown) => {
    throw error instanceof AppError && error.code === "unauthorized" ? new AppError("unauthorized", UNAUTHENTICATED_MESSAGE) : error;
  });
  exchange.credentials = credentials;
  if (operation?.isForServers && credentials.scope.type === "CLIENT") requireScope(credentials, operation.clientScope);
  return { secret: secret ?? "", credentials, ip };
}

/** @throws AppError forbidden for a client key that lacks the scope, or if no scope allows the operation */
function requireScope({ scopes }: Credentials, scope: Scope | undefined): void {
  if (scope !== undefined && scopes.includes(scope)) return;
  const needed = "a key of the type SERVER or CONSOLE";
  throw forbidden(scope === undefined ? needed : `${needed}, or one with the scope ${scope}`);
}

/** @throws AppError not_found, method_not_allowed, invalid_request */
function requireOperation({ request, response, match, operation, pathname }: Exchange): EvaluationOperation {
  if (!match) throw new AppError("not_found", `The path ${redactKeys(pathname)} does not exist.`);
  if (!operation) {
    response.setHeader("Allow", match.path.allowed);
    throw new AppError("method_not_allowed", `${request.method} is not allowed at ${redactKeys(pathname)}.`);
  }
  if (match.fault) throw match.fault;
  return operation;
}
