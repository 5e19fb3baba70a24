import { ConsoleApiError, createEvaluationClient } from "@gatehouse/client";
import { CliError } from "./cli-error.ts";
import type { Operation } from "./operations.ts";
import type { Profile } from "./profiles.ts";

type Request = { path: { [name: string]: unknown }; query: object; body?: unknown };
type Answer = { data?: string; error?: unknown; response: Response };

/** Keys begin with their type, and tokens of identity providers do not. */
const IS_KEY = /^(console|secret|client)-/;

const TIMEOUT_MS = 60_000;

/**
 * Sends a request of the evaluation API or the SCIM API. Only GET requests of the evaluation API are retried, because a second POST could store
 * events twice.
 * @param timeoutMs the most time of the call with its retries
 * @returns the response as text, empty if it has no body
 * @throws CliError for a key where the API takes a token of an identity provider, for a path parameter that would address another operation, and
 * after `timeoutMs`; ConsoleApiError
 */
export async function callApi({ url, key }: Profile, operation: Operation, request: Request, timeoutMs = TIMEOUT_MS): Promise<string> {
  const { body, ...params } = request;
  const { api, operationId, method, path } = operation;
  const isScim = api === "scim";
  if (isScim && IS_KEY.test(key))
    throw new CliError(`${operationId} takes one of the tokens in the server's GATEHOUSE_SCIM_TOKENS.`, "Pass it with --key.");
  checkPath(operation, params.path);
  const isRetried = !isScim && method === "get";
  const { raw } = createEvaluationClient({ baseUrl: url, apiKey: key, ...(!isRetried && { retry: { attempts: 1 } }) });
  const send = raw.request as unknown as (method: string, path: string, init: object) => Promise<Answer>;
  const headers = isScim && { headers: { "SERVICE-API-KEY": null, Authorization: `Bearer ${key}` } };
  const signal = AbortSignal.timeout(timeoutMs);
  const sent = send(method, path, { params, body, signal, parseAs: "text", ...headers });
  const { data, error, response } = await sent.catch((failure: unknown) => {
    if (signal.aborted) throw new CliError(`${operationId} took longer than ${timeoutMs / 1000} seconds.`);
    throw failure;
  });
  if (response.ok) return data ?? "";
  const detail = (error as { detail?: unknown } | undefined)?.detail;
  if (isScim && typeof detail === "string") throw new CliError(detail);
  throw new ConsoleApiError(operationId, response, error);
}

/** A parameter that is empty, "." or ".." would address another operation. */
function checkPath({ operationId, path }: Operation, given: Request["path"]): void {
  for (const [, name = ""] of path.matchAll(/\{(\w+)\}/g)) {
    const value = given[name];
    if (typeof value !== "string") throw new CliError(`${operationId} needs --param ${name}=… once.`);
    if (["", ".", ".."].includes(value)) throw new CliError(`${operationId}: --param ${name} must not be empty, "." or "..".`);
  }
}
