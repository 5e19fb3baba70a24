// The server of the run, and its first administrator.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createConsoleClient, createEvaluationClient } from "@gatehouse/client";
import { test } from "@playwright/test";
import { findChromium } from "../../../server/test/support/browser.ts";

export const ADMINISTRATOR = { name: "Ada Lovelace", email: "ada@example.com", password: "correct horse battery staple" };

/** The cookies of a browser with a signed-in administrator. */
export const ADMINISTRATOR_STATE = fileURLToPath(new URL("../../test-results/administrator.json", import.meta.url));

/** All uses of the server need it here first, so tests are skipped here if no browser is installed. */
function printed(name: string): string {
  test.info().skip(findChromium() === undefined, "Chromium (install it, or set GATEHOUSE_CHROMIUM)");
  const value = process.env[name];
  if (value === undefined) throw new Error(`The server did not print ${name}.`);
  return value;
}

export const serverUrl = (): string => printed("GATEHOUSE_TEST_URL");

/** The token of the link for the first administrator. */
export const firstToken = (): string => printed("GATEHOUSE_TEST_TOKEN");

/** The session that the first test of the run has begun for the administrator. */
export function administratorSession(): string {
  const { cookies } = JSON.parse(readFileSync(ADMINISTRATOR_STATE, "utf8")) as { cookies: { name: string; value: string }[] };
  return cookies.find(({ name }) => name === "gatehouse_session")?.value ?? "";
}

/** The console API with the permissions of a key. */
export const consoleApi = (apiKey: string) => createConsoleClient({ baseUrl: serverUrl(), apiKey });

/** The console API for a person, or without a session. */
export const createApi = (session?: string, projectID?: string) =>
  createConsoleClient({ baseUrl: serverUrl(), ...(session !== undefined && { session }), ...(projectID !== undefined && { projectID }) });

/** The API that an application calls. @param apiKey of type SERVER or CLIENT */
export const evaluationApi = (apiKey: string) => createEvaluationClient({ baseUrl: serverUrl(), apiKey });
