import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { ConsoleApiError, type ConsoleClient, createConsoleClient, type Schema } from "@gatehouse/client";
import { CliError } from "./cli-error.ts";
import { note, styled } from "./output.ts";

/** A server ends a login long before. */
const MAX_WAIT_MS = 30 * 60 * 1000;
const MAX_INTERVAL_S = 60;
const MAX_HOST_LENGTH = 100;
const AGAIN = "Run gatehouse login again.";
/** How servers without these logins respond: the first is for every path that needs a key. */
const TOO_OLD = new Set([401, 404, 405]);

/** The name of this computer, as people see it in the console. */
function hostName(): string {
  const shown = hostname()
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, "")
    .trim();
  return [...shown].slice(0, MAX_HOST_LENGTH).join("").trim() || "unknown";
}

/**
 * Logs in with a browser: shows a code, and waits until a person has entered it in the console and approved the login.
 * @param open opens the page for the code
 * @returns a key. Undefined if the server is older than these logins
 * @throws CliError if the login is denied or ends; ConsoleApiError
 */
export async function logInWithBrowser(url: string, open: (page: string) => void): Promise<string | undefined> {
  const client = clientOf(url);
  const host = hostName();
  const codes = await start(client, host);
  if (!codes) return undefined;
  const page = pageOf(codes);
  note(`Open ${page} and enter this code:\n\n  ${styled("bold", codes.userCode, process.stderr)}\n`);
  note("Waiting for you to approve the login. Press Ctrl+C to cancel.");
  open(page);
  return waitForKey(client, codes, host);
}

function clientOf(url: string): ConsoleClient {
  try {
    return createConsoleClient({ baseUrl: url });
  } catch (error) {
    if (error instanceof TypeError) throw new CliError(`${JSON.stringify(url)} is not the http or https URL of a server.`);
    throw error;
  }
}

type Codes = Schema<"DeviceLoginCodes">;

async function start(client: ConsoleClient, host: string): Promise<Codes | undefined> {
  try {
    return (await client.startDeviceLogin({ body: { host } })).data;
  } catch (error) {
    if (error instanceof ConsoleApiError && TOO_OLD.has(error.status)) return undefined;
    throw error;
  }
}

/** The URL of the page for the code. What the server sends is shown in a terminal and given to a program, so nothing else is accepted. */
function pageOf({ verificationUrl, userCode }: Codes): string {
  const page = URL.canParse(verificationUrl) ? new URL(verificationUrl) : undefined;
  const isPage = page?.protocol === "https:" || page?.protocol === "http:";
  if (!isPage || !/^[A-Z-]{1,20}$/.test(userCode)) throw new CliError("The server sent an invalid login URL or code.");
  return page.href;
}

/** Asks for the key at the interval of the server. Interrupted connections don't end the login. */
async function waitForKey(client: ConsoleClient, { deviceCode, interval }: Codes, host: string): Promise<string> {
  const end = performance.now() + MAX_WAIT_MS;
  while (performance.now() < end) {
    await sleep(Math.min(Math.max(interval, 1), MAX_INTERVAL_S) * 1000);
    const progress = await redeem(client, deviceCode);
    if (progress === undefined || progress.status === "pending") continue;
    if (progress.status === "denied") throw new CliError("The login was denied.");
    if (progress.status === "expired") break;
    if (progress.key !== null) return progress.key;
    const advice = `The key CLI on ${host} works until you deactivate it on the Keys page. ${AGAIN}`;
    throw new CliError("The key was lost on its way from the server.", advice);
  }
  throw new CliError("The login has expired.", AGAIN);
}

/** @returns undefined if the server can't answer now */
async function redeem(client: ConsoleClient, deviceCode: string): Promise<Schema<"DeviceLoginProgress"> | undefined> {
  try {
    return (await client.redeemDeviceLogin({ body: { deviceCode } })).data;
  } catch (error) {
    if (canAnswerLater(error)) return undefined;
    if (error instanceof ConsoleApiError && error.status === 401) throw new CliError("The login has ended.", AGAIN);
    throw error;
  }
}

/** Whether the same request can succeed later: the server is busy or down, or the connection broke or took too long. */
export function canAnswerLater(error: unknown): boolean {
  if (error instanceof ConsoleApiError) return error.status === 429 || error.status >= 500;
  return error instanceof TypeError || (error instanceof DOMException && error.name === "TimeoutError");
}
