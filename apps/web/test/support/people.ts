import { randomUUID } from "node:crypto";
import type { ConsoleClient } from "@gatehouse/client";
import type { BrowserContextOptions } from "@playwright/test";
import { administratorSession, createApi, serverUrl } from "./server.ts";

export type Project = {
  projectID: string;
  name: string;
  /** A client that acts for the administrator. */
  api: ConsoleClient;
  /** The project's first console key, which has all permissions. */
  key: string;
};
/** The name of a role: `Member`. */
export type Role = string;
export type Person = { email: string; password: string; session: string /** Acts for the person in the project. */; api: ConsoleClient };

const PASSWORD = "seven bridges of Königsberg";

/** A unique name for one test, which is also an id. */
export const unique = (prefix: string): string => `${prefix}_${randomUUID().slice(0, 8)}`;

/** Creates a project, for tests of whole lists and settings. */
export async function newProject(): Promise<Project> {
  const session = administratorSession();
  const { data } = await createApi(session).createProject({ body: { name: unique("project") } });
  return { projectID: data.id, name: data.name, api: createApi(session, data.id), key: data.firstKey.key ?? "" };
}

/** Invites a person with a role into a project, and accepts the invitation. */
export async function invitePerson({ projectID, api }: Project, role: Role, name = "Grace Hopper"): Promise<Person> {
  const email = `${unique("person")}@example.com`;
  const { data } = await api.inviteUsers({ body: { role, emails: [email] } });
  const token = data[0]?.token ?? "";
  const { session = "" } = await createApi().redeemToken({ body: { token, email, name, password: PASSWORD } });
  return { email, password: PASSWORD, session, api: createApi(session, projectID) };
}

/** A browser with a signed-in person. */
export function signedInAs({ session }: Pick<Person, "session">): BrowserContextOptions {
  const cookie = { name: "gatehouse_session", value: session, path: "/", expires: -1, httpOnly: true, secure: false };
  return { storageState: { cookies: [{ ...cookie, domain: new URL(serverUrl()).hostname, sameSite: "Strict" }], origins: [] } };
}

/** A browser without a session. */
export const SIGNED_OUT: BrowserContextOptions = { storageState: { cookies: [], origins: [] } };
