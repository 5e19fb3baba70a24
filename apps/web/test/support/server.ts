// The server of the run, and its first administrator.
import { fileURLToPath } from "node:url";
import { createConsoleClient, createEvaluationClient } from "@gatehouse/client";
import { test } from "@playwright/test";
import { findChromium } from "../../../server/test/support/browser.ts";

export const CONSOLE_KEY = "console-of-the-browser-tests";

export const ADMINISTRATOR = { name: "Ada Lovelace", email: "ada@example.com", password: "correct horse battery staple" };

/** The cookies of a browser in which the administrator is signed in. */
export const ADMINISTRATOR_STATE = fileURLToPath(new URL("../../test-results/administrator.json", import.meta.url));

/** Whatever needs the server needs it here first, so tests are skipped here where there is no browser. */
function printed(name: string): string {
  test.info().skip(findChromium() === undefined, "Chromium (install it, or set GATEHOUSE_CHROMIUM)");
  const value = process.env[name];
  if (value === undefined) throw new Error(`The server did not print ${name}.`);
  return value;
}

export const serverUrl = (): string => printed("GATEHOUSE_TEST_URL");

/** The token of the link for the first administrator. */
export const firstToken = (): string => printed("GATEHOUSE_TEST_TOKEN");

/** The console API with all permissions in the default project. */
export const consoleApi = () => createConsoleClient({ baseUrl: serverUrl(), apiKey: CONSOLE_KEY });

/** The console API for a person, or for somebody without a session. */
export const apiOf = (session?: string, projectID?: string) =>
  createConsoleClient({ baseUrl: serverUrl(), ...(session !== undefined && { session }), ...(projectID !== undefined && { projectID }) });

/** What an application calls. @param apiKey of type SERVER or CLIENT */
export const evaluationApi = (apiKey: string) => createEvaluationClient({ baseUrl: serverUrl(), apiKey });
