import { randomUUID } from "node:crypto";
import type { ConsoleClient } from "@gatehouse/client";
import type { BrowserContextOptions } from "@playwright/test";
import { ADMINISTRATOR, apiOf, consoleApi, serverUrl } from "./server.ts";

export type Person = { email: string; password: string; session: string; api: ConsoleClient };

const PASSWORD = "seven bridges of Königsberg";

/** A name that no other test uses. It is an id, too. */
export const unique = (prefix: string): string => `${prefix}_${randomUUID().slice(0, 8)}`;

/** Somebody new with a role in the default project, who has redeemed their invitation. */
export async function newPerson(role: "Admin" | "Member" | "Viewer", name = "Grace Hopper"): Promise<Person> {
  const email = `${unique("person")}@example.com`;
  const { data } = await consoleApi().inviteUsers({ body: { role, emails: [email] } });
  const token = data[0]?.token ?? "";
  const { session = "" } = await apiOf().redeemToken({ body: { token, email, name, password: PASSWORD } });
  return { email, password: PASSWORD, session, api: apiOf(session) };
}

/** A project of its own for tests of whole lists, with a client that acts for the administrator. */
export async function newProject(): Promise<{ projectID: string; api: ConsoleClient }> {
  const { email, password } = ADMINISTRATOR;
  const { session = "" } = await apiOf().createSession({ body: { email, password } });
  const { data } = await apiOf(session).createProject({ body: { name: unique("project") } });
  return { projectID: data.id, api: apiOf(session, data.id) };
}

/** A browser in which somebody is signed in. */
export function signedInAs({ session }: Pick<Person, "session">): BrowserContextOptions {
  const cookie = { name: "gatehouse_session", value: session, path: "/", expires: -1, httpOnly: true, secure: false };
  return { storageState: { cookies: [{ ...cookie, domain: new URL(serverUrl()).hostname, sameSite: "Strict" }], origins: [] } };
}

/** A browser without a session. */
export const SIGNED_OUT: BrowserContextOptions = { storageState: { cookies: [], origins: [] } };
