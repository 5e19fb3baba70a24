import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createProvider } from "../../src/accounts/provider.ts";
import { type Accounts, Browser, type IdentityProvider, oidcConfig, startIdentityProvider } from "../support/identity-provider.ts";
import { makePerson, makeToken, readSecret, signIn } from "../support/people.ts";
import { createCodes, setUpTotp } from "../support/second-factors.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { asPerson } from "../support/sessions.ts";

// Someone else may have set up the account of a person who signs in with the provider for the first time.

const PUBLIC_URL = "http://gatehouse.test:4000";
const CALLBACK = `${PUBLIC_URL}/console/v1/session/oidc/callback`;
const PASSWORD = "correct horse battery staple";

const accounts: Accounts = {};
let idp: IdentityProvider;
let server: TestServer;
beforeAll(async () => {
  idp = await startIdentityProvider(CALLBACK, accounts);
  server = await startServer({ publicUrl: PUBLIC_URL, provider: createProvider(oidcConfig(idp.issuer), CALLBACK) });
});
afterAll(async () => {
  await server.close();
  await idp.close();
});

/** Signs in at the provider with an address. @returns how the browser then finishes it, and the person's rights there */
async function comeBack(email: string) {
  accounts[email] = { email, email_verified: true };
  const browser = new Browser();
  const started = await browser.visit(`${server.url}/console/v1/session/oidc`);
  const { pathname, search } = new URL(await browser.signInAt(started, email, new URL(PUBLIC_URL).host));
  return {
    finish: () => browser.visit(`${server.url}${pathname}${search}`),
    statusOfSession: async () => (await browser.visit(`${server.url}/console/v1/session`)).status,
  };
}

const fetchStatus = async (headers: Record<string, string>) =>
  (await server.send("GET", "/console/v1/session", { key: null, headers })).status;
const statusOfSignIn = async (email: string, password = PASSWORD) => (await signIn(server, { email, password })).status;
const redeem = (email: string, token: string | null | undefined) =>
  server.send("POST", "/console/v1/session/redeem", { body: { token, email, password: PASSWORD } });
const readAuditLog = async (actorID: string) =>
  (await server.database.prisma.change.findMany({ where: { entityType: "session", actorID }, orderBy: { seq: "asc" } })).map(
    ({ operationID, reason }) => [operationID, reason],
  );
const LINKED = [
  "finishSingleSignOn",
  "Linked the account to the provider, which removed the password and second factors, and ended other sessions and one-time links.",
];

describe("the first sign-in with the provider of a person who exists", () => {
  const email = "invited@example.com";

  test("ends the password, sessions and links of the person who redeemed their invitation, and is in the audit log", async () => {
    const { data } = await server.client.inviteUsers({ body: { role: "Viewer", emails: [email] } });
    const { body, headers } = await redeem(email, data[0]?.token);
    const { person } = body.data;
    const reset = await makeToken(server, "password_reset", person.id);
    await server.database.prisma.passkey.create({
      data: { id: "planted", personID: person.id, name: "", publicKey: "", counter: 0, isSynced: false, createdTime: 0 },
    });
    await setUpTotp(server, asPerson(readSecret(headers)));
    await createCodes(server, asPerson(readSecret(headers)));
    expect([await fetchStatus(asPerson(readSecret(headers))), await statusOfSignIn(email)]).toEqual([200, 401]);

    const own = await comeBack(email);
    expect((await own.finish()).status).toBe(303);
    expect([await fetchStatus(asPerson(readSecret(headers))), await statusOfSignIn(email), (await redeem(email, reset)).status]).toEqual([
      401, 401, 401,
    ]);
    expect(await own.statusOfSession()).toBe(200);
    const { prisma } = server.database;
    const remaining = [await prisma.passkey.count(), await prisma.totp.count(), await prisma.recoveryCode.count()];
    expect(remaining).toEqual([0, 0, 0]);
    expect((await readAuditLog(person.id)).slice(-2)).toEqual([["finishSingleSignOn", "Signed in."], LINKED]);
  });

  test("ends an unredeemed invitation", async () => {
    const { data } = await server.client.inviteUsers({ body: { role: "Viewer", emails: ["waiting@example.com"] } });
    await (await comeBack("waiting@example.com")).finish();
    expect((await redeem("waiting@example.com", data[0]?.token)).status).toBe(401);
  });

  test("leaves those alone who have signed in with it before", async () => {
    const { person } = await makePerson(server, { email: "again@example.com" });
    await (await comeBack(person.email)).finish();
    const token = await makeToken(server, "password_reset", person.id);
    const { headers } = await redeem(person.email, token);
    await (await comeBack(person.email)).finish();
    expect([await fetchStatus(asPerson(readSecret(headers))), await statusOfSignIn(person.email)]).toEqual([200, 200]);
    expect((await readAuditLog(person.id)).filter(([, reason]) => reason === LINKED[1])).toHaveLength(1);
  });

  test("ends no session of their own when they sign in twice at once", async () => {
    const { person } = await makePerson(server, { email: "two.tabs@example.com" });
    const tabs = await Promise.all([comeBack(person.email), comeBack(person.email)]);
    expect((await Promise.all(tabs.map(({ finish }) => finish()))).map(({ status }) => status)).toEqual([303, 303]);
    expect(await Promise.all(tabs.map(({ statusOfSession }) => statusOfSession()))).toEqual([200, 200]);
  });

  test("lets no sign-in with the password that is under way begin a session", async () => {
    const { person } = await makePerson(server, { email: "racer@example.com", password: PASSWORD });
    const { finish } = await comeBack(person.email);
    const given = { email: person.email, password: PASSWORD };
    const [, ...attempts] = await Promise.all([finish(), ...Array.from({ length: 4 }, () => signIn(server, given))]);
    for (const { headers } of attempts) expect(await fetchStatus(asPerson(readSecret(headers)))).toBe(401);
  });

  test("lets no change of the password that is under way set another one", async () => {
    const { person, headers } = await makePerson(server, { email: "changer@example.com", password: PASSWORD });
    const { finish } = await comeBack(person.email);
    const body = { currentPassword: PASSWORD, password: "another horse battery staple" };
    const change = () => server.send("PUT", "/console/v1/session/password", { key: null, headers, body });
    await Promise.all([finish(), ...Array.from({ length: 4 }, change)]);
    expect([await statusOfSignIn(person.email), await statusOfSignIn(person.email, body.password)]).toEqual([401, 401]);
  });
});
