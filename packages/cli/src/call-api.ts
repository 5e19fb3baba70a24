import { ConsoleApiError, createEvaluationClient } from "@gatehouse/client";
import { CliError } from "./cli-error.ts";
import type { Operation } from "./operations.ts";
import type { Profile } from "./profiles.ts";

type Request = { path: object; query: object; body?: unknown };
type Answer = { data?: string; error?: unknown; response: Response };

/** Keys begin with their type, and tokens of identity providers do not. */
const IS_KEY = /^(console|secret|client)-/;

/**
 * Sends a request of the evaluation API or the SCIM API.
 * @returns the response as text, empty if it has no body
 * @throws CliError for a key where the API takes a token of an identity provider; ConsoleApiError
 */
export async function callApi({ url, key }: Profile, operation: Operation, { body, ...params }: Request): Promise<string> {
  const { api, operationId, method, path } = operation;
  const isScim = api === "scim";
  if (isScim && IS_KEY.test(key))
    throw new CliError(`${operationId} takes one of the tokens in the server's GATEHOUSE_SCIM_TOKENS.`, "Pass it with --key.");
  const { raw } = createEvaluationClient({ baseUrl: url, apiKey: key, ...(isScim && { retry: { attempts: 1 } }) });
  const send = raw.request as unknown as (method: string, path: string, init: object) => Promise<Answer>;
  const headers = isScim && { headers: { "SERVICE-API-KEY": null, Authorization: `Bearer ${key}` } };
  const { data, error, response } = await send(method, path, { params, body, parseAs: "text", ...headers });
  if (response.ok) return data ?? "";
  const detail = (error as { detail?: unknown } | undefined)?.detail;
  if (isScim && typeof detail === "string") throw new CliError(detail);
  throw new ConsoleApiError(operationId, response, error);
}
