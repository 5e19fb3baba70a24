import { createAuthenticator } from "./authenticator.ts";
import { makePerson, signIn } from "./people.ts";
import type { TestServer } from "./server.ts";
import { totpCode } from "./totp-code.ts";

export const ORIGIN = "http://localhost:4000";
export const PASSWORD = "correct horse battery staple";

type Headers = Record<string, string>;
type Authenticator = ReturnType<typeof createAuthenticator>;

/** Sends an operation of one's own session. */
export const own = (server: Pick<TestServer, "send">, headers: Headers, method: string, path: string, body?: object) =>
  server.send(method, `/console/v1/session/${path}`, { key: null, headers, ...(body && { body }) });

/** Sets up an authenticator app. @returns its secret. The code of the present step is used up */
export async function setUpTotp(server: TestServer, headers: Headers): Promise<string> {
  const { body } = await own(server, headers, "POST", "totp");
  const { status, text } = await own(server, headers, "PUT", "totp", { code: totpCode(body.data.secret, server.clock.now) });
  if (status !== 200) throw new Error(text);
  return body.data.secret;
}

/** Creates a passkey. @returns the authenticator that has it */
export async function setUpPasskey(server: TestServer, headers: Headers, name = "Laptop"): Promise<Authenticator> {
  const authenticator = createAuthenticator(ORIGIN);
  const { body } = await own(server, headers, "POST", "passkeys/challenge");
  const { status, text } = await own(server, headers, "POST", "passkeys", { name, passkey: authenticator.create(body.data) });
  if (status !== 200) throw new Error(text);
  return authenticator;
}

export async function createCodes(server: TestServer, headers: Headers): Promise<string[]> {
  return (await own(server, headers, "POST", "recovery_codes")).body.data.codes;
}

/** A challenge for a person who signs in. */
export async function challenge(server: Pick<TestServer, "send">): Promise<{ challenge: string; rpId: string }> {
  return (await server.send("POST", "/console/v1/session/passkey/challenge")).body.data;
}

export const signInWithPasskey = (server: Pick<TestServer, "send">, passkey: object) =>
  server.send("POST", "/console/v1/session/passkey", { body: { passkey } });

/** Makes a person with a password, who is signed in. @returns them, and functions that act for them */
export async function makeMember(server: TestServer, given: { isAdministrator?: boolean } = {}) {
  const made = await makePerson(server, { password: PASSWORD, ...given });
  const { email } = made.person;
  return {
    ...made,
    signIn: (more: object = {}, at: Pick<TestServer, "send"> = server, headers: Headers = {}) =>
      signIn(at, { email, password: PASSWORD, ...more }, headers),
    own: (method: string, path: string, body?: object) => own(server, made.headers, method, path, body),
    /** 200 if the session lasts, 401 if it has ended. */
    async status(headers: Headers = made.headers) {
      return (await server.send("GET", "/console/v1/session", { key: null, headers })).status;
    },
  };
}

/** The entries of the instance's audit log by a person, oldest first: the operation and the reason. */
export async function entriesBy({ database }: TestServer, personID: string): Promise<[string, string | null][]> {
  const entries = await database.prisma.change.findMany({ where: { projectID: "instance", actorID: personID }, orderBy: { seq: "asc" } });
  return entries.map(({ operationID, reason }) => [operationID, reason]);
}
