import type { IncomingMessage } from "node:http";
import type { PathTokens } from "../../authentication/path-tokens.ts";
import type { Authenticate, Credentials } from "../../context.ts";
import { AppError, forbidden } from "../../errors.ts";
import type { Caller, EvaluationEnv } from "../../evaluation/binding.ts";
import type { Stores } from "../../stores.ts";
import type { Exchange } from "./exchange.ts";
import type { Operation, Result } from "./operation-table.ts";
import { presentedKey } from "./presented-key.ts";
import { readBody } from "./request-body.ts";
import { sendResult } from "./send-result.ts";

/** As the console API's text, with the headers that are known here alone. */
const KEY_NEEDED = "An active key is needed, as Authorization: Bearer or X-API-Key.";

/** What every operation is served with. */
export type Surroundings = Pick<EvaluationEnv, "rulesets" | "intake" | "flagStreams"> & {
  authenticate: Authenticate;
  tokens: PathTokens;
  read<T>(context: Credentials & { operationID: string; now: number }, work: (stores: Stores) => Promise<T>): Promise<T>;
  now: () => number;
  /** Fail a request whose answer breaks the contract. Otherwise answers are not looked at. */
  strictResponses: boolean;
};

/** Reads a request, has it handled and sends the answer. @throws AppError, and whatever the handler throws */
export async function serveExchange(exchange: Exchange, surroundings: Surroundings): Promise<void> {
  const { request, match, query } = exchange;
  const { secret, credentials } = await identify(exchange, surroundings);
  const operation = requireOperation(exchange);
  const path = match?.parameters ?? {};
  const body = operation.bodyLimit === undefined ? undefined : await readBody(request, query, operation.bodyLimit, operation);
  const now = surroundings.now();
  const result = await operation.handler({
    path,
    query: operation.checkRequest({ path, query, body }),
    body,
    caller: callerOf(request, credentials, now),
    headers: request.headers as EvaluationEnv["headers"],
    origin: originOf(request),
    rulesets: surroundings.rulesets,
    intake: surroundings.intake,
    flagStreams: surroundings.flagStreams,
    tokenFor: (target) => surroundings.tokens.issue(secret, credentials, target),
    read: (work) => surroundings.read({ ...credentials, operationID: operation.operationID, now }, work),
  });
  if (surroundings.strictResponses) operation.checkResponse(result.status, await bodyOf(result));
  await sendResult(exchange, result);
}

async function bodyOf(result: Result): Promise<unknown> {
  return "sendable" in result ? JSON.parse((await result.sendable.bytes("identity")).toString()) : result.body;
}

/** Who calls, found before anything else of the request is looked at. @throws AppError unauthorized, forbidden */
async function identify(
  { request, match, operation, pathname, query }: Exchange,
  { authenticate, tokens }: Surroundings,
): Promise<{ secret: string; credentials: Credentials }> {
  if (operation?.opens === "token") return { secret: "", credentials: await tokens.open(query.get("token") ?? "", pathname) };
  const secret = presentedKey(request.headers, query, match?.parameters ?? {});
  const credentials = await authenticate(secret).catch((error: unknown) => {
    throw error instanceof AppError && error.code === "unauthorized" ? new AppError("unauthorized", KEY_NEEDED) : error;
  });
  if (operation?.isForServers && credentials.scope.type === "CLIENT") {
    throw forbidden("a key of the type SERVER or CONSOLE");
  }
  return { secret: secret ?? "", credentials };
}

/** @throws AppError not_found, method_not_allowed, invalid_request */
function requireOperation({ request, response, match, operation, pathname }: Exchange): Operation {
  if (!match) throw new AppError("not_found", `There is nothing at ${pathname}.`);
  if (!operation) {
    response.setHeader("Allow", match.path.allowed);
    throw new AppError("method_not_allowed", `${request.method} is not allowed at ${pathname}.`);
  }
  if (match.fault) throw match.fault;
  return operation;
}

function callerOf({ headers, socket }: IncomingMessage, credentials: Credentials, now: number): Caller {
  const ip = first(headers["x-forwarded-for"]) ?? socket.remoteAddress ?? "";
  return { credentials, ip: ip.startsWith("::ffff:") ? ip.slice(7) : ip, userAgent: headers["user-agent"], now };
}

function originOf({ headers }: IncomingMessage): string {
  return `${first(headers["x-forwarded-proto"]) ?? "http"}://${first(headers["x-forwarded-host"]) ?? headers.host ?? ""}`;
}

/** The first value of a header to which each proxy adds its own. */
function first(header: string | string[] | undefined): string | undefined {
  return typeof header === "string" ? header.split(",", 1)[0]?.trim() : undefined;
}
