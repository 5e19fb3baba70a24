import { setPassword } from "../../src/accounts/password-store.ts";
import { hashPassword } from "../../src/accounts/passwords.ts";
import { startSession } from "../../src/accounts/session-store.ts";
import { systemContext } from "../../src/common/system-context.ts";
import { newPerson, type Person } from "../../src/console/people/person.ts";
import { createStores } from "../../src/console/stores.ts";
import { createChangeLog } from "../../src/store/change-log/change-log.ts";
import { writing } from "../../src/store/database/unit-of-work.ts";
import { createToken, type Purpose } from "../../src/tokens/token-store.ts";
import type { TestServer } from "./server.ts";
import { asPerson } from "./sessions.ts";

let count = 0;

type Given = { email?: string; isAdministrator?: boolean; password?: string };

const LONGEST_MS = 14 * 24 * 60 * 60 * 1000;

/** Makes a person who is signed in. @returns them, and the headers of their requests */
export async function makePerson({ database, clock }: TestServer, { password, ...given }: Given = {}) {
  count += 1;
  const hash = password === undefined ? undefined : await hashPassword(password);
  return writing(database, async (db) => {
    const context = systemContext("test", clock.now);
    const stores = createStores({ db, context, log: createChangeLog(db, context) });
    const names = { firstName: "Person", lastName: `${count}` };
    const person: Person = await stores.people.create(
      newPerson({ email: `person${count}@example.com`, ...names, ...given }, context, context.actor),
    );
    if (hash !== undefined) setPassword(db, person, hash, clock.now);
    const place = { address: null, userAgent: null };
    const { secret } = startSession(db, person.id, place, clock.now, { idleMs: LONGEST_MS, longestMs: LONGEST_MS });
    return { person, session: secret, headers: asPerson(secret) };
  });
}

/** Starts a session of a person. @returns the headers of its requests */
export async function startSessionAs({ database, clock }: TestServer, personID: string): Promise<Record<string, string>> {
  const place = { address: null, userAgent: null };
  const limits = { idleMs: LONGEST_MS, longestMs: LONGEST_MS };
  const { secret } = await writing(database, async (db) => startSession(db, personID, place, clock.now, limits));
  return asPerson(secret);
}

/** Makes a one-time token. @returns its secret */
export async function makeToken({ database, clock }: TestServer, purpose: Purpose, personID: string | null = null): Promise<string> {
  const { secret } = await writing(database, async (db) => createToken(db, purpose, personID, clock.now));
  return secret;
}

/** The header `Set-Cookie` of a response, or an empty text. */
export const readCookie = (headers: Headers) => headers.get("Set-Cookie") ?? "";
/** The session that a response began. */
export const readSecret = (headers: Headers) => /session=([^;]+)/.exec(readCookie(headers))?.[1] ?? "";

/** Sends a sign-in. */
export function signIn({ send }: Pick<TestServer, "send">, given: object, headers: Record<string, string> = {}) {
  return send("POST", "/console/v1/session", { body: given, headers });
}
