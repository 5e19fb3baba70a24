import { setTimeout as sleep } from "node:timers/promises";
import { CliError } from "../../cli-error.ts";
import { retryDelay } from "./retry-delay.ts";

/** Limits of what is read from another system. */
const TIMEOUT_MS = 60_000;
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_TRIES = 6;

export type ApiRequest = { headers: Record<string, string>; method?: "GET" | "POST"; body?: unknown };
export type ApiResponse = { text: string; headers: Headers };

/**
 * Reads the response of another system's API. Waits and tries again if the system asks for it. Follows no redirect, because the token is for
 * this address only.
 * @throws CliError
 */
export async function send(url: URL, request: ApiRequest): Promise<ApiResponse> {
  for (let attempt = 1; ; attempt++) {
    const response = await open(url, request);
    if (response.ok) return { text: await readBody(url, response), headers: response.headers };
    const isBusy = response.status === 429 || response.status === 503;
    if (!isBusy || attempt === MAX_TRIES) throw await toError(url, response);
    await response.body?.cancel();
    const delay = retryDelay(response.headers.get("retry-after"), attempt, Date.now());
    if (delay === undefined) throw new CliError(`${url.host} asks to wait for too long. Try again later.`);
    await sleep(delay);
  }
}

async function open(url: URL, { headers, method = "GET", body }: ApiRequest): Promise<Response> {
  const content = body === undefined ? {} : { body: JSON.stringify(body) };
  const types = { accept: "application/json", ...(body !== undefined && { "content-type": "application/json" }) };
  try {
    return await fetch(url, {
      ...{ method, redirect: "manual", signal: AbortSignal.timeout(TIMEOUT_MS), headers: { ...types, ...headers } },
      ...content,
    });
  } catch (error) {
    throw unreachable(url, error);
  }
}

/** The text of a response, which is not kept in memory beyond the limit. */
async function readBody(url: URL, response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let size = 0;
  let text = "";
  try {
    for await (const chunk of response.body ?? []) {
      size += chunk.byteLength;
      if (size > MAX_BYTES) throw new CliError(`${url.host} sent more than ${MAX_BYTES / 1024 / 1024} MiB in one response.`);
      text += decoder.decode(chunk, { stream: true });
    }
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw unreachable(url, error);
  }
  return text + decoder.decode();
}

function unreachable(url: URL, error: unknown): CliError {
  const { name, message, cause } = error as Error & { cause?: { code?: string; message?: string } };
  if (name === "TimeoutError") return new CliError(`${url.host} did not respond within ${TIMEOUT_MS / 1000} seconds.`);
  if (message === "terminated") return new CliError(`The connection to ${url.host} broke before the end of the response.`);
  return new CliError(`${url.host} cannot be reached: ${cause?.message || cause?.code || message}.`);
}

async function toError(url: URL, response: Response): Promise<CliError> {
  const { status } = response;
  const place = withoutQuery(url);
  if (status >= 300 && status < 400) {
    const target = response.headers.get("location") ?? "";
    await response.body?.cancel();
    const elsewhere = target !== "" && URL.canParse(target, url.href) ? ` to ${printable(withoutQuery(new URL(target, url)))}` : "";
    return new CliError(`${place} redirects${elsewhere}.`, "Use the address of the API itself.");
  }
  const reason = reasonIn(await readBody(url, response));
  const message = `${place} responded with ${status}${reason === "" ? "." : `: ${reason}`}`;
  if (status === 401 || status === 403) return new CliError(message, "The token is missing or wrong, or may not read this.");
  return new CliError(message);
}

/** The address without its query, which may have a secret. */
export const withoutQuery = ({ origin, pathname }: URL): string => `${origin}${pathname}`;

/** The message of an error, as JSON APIs send it. */
function reasonIn(text: string): string {
  try {
    const { message } = JSON.parse(text) as { message?: unknown };
    return typeof message === "string" ? printable(message) : "";
  } catch {
    return "";
  }
}

const printable = (text: string): string => text.replaceAll(/\p{Cc}/gu, " ").slice(0, 200);
