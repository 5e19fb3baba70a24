import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createProvider } from "../../src/accounts/provider.ts";
import { breakTables } from "../support/faults.ts";
import { type Accounts, Browser, CLIENT, type IdentityProvider, oidcConfig, startIdentityProvider } from "../support/identity-provider.ts";
import { makePerson } from "../support/people.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { asPerson } from "../support/sessions.ts";
import { TEST_ADMINISTRATOR, TEST_SESSION } from "../support/template-database.ts";

// Signing in with a real OpenID Connect provider, which runs in this process.

const PUBLIC_URL = "http://gatehouse.test:4000";
const CALLBACK = `${PUBLIC_URL}/console/v1/session/oidc/callback`;
const START = "/console/v1/session/oidc";
const HOUR_MS = 3_600_000;

const known = (email: string, more: object = {}) => ({ email, email_verified: true, name: "Grace Brewster Hopper", ...more });
const accounts: Accounts = {
  grace: known("Grace@Example.com"),
  unverified: known("unverified@example.com", { email_verified: false }),
  stranger: known("stranger@elsewhere.org"),
  suffix: known("suffix@notexample.com"),
};

let idp: IdentityProvider;
let server: TestServer;
let browser: Browser;
beforeAll(async () => {
  idp = await startIdentityProvider(CALLBACK, accounts);
  server = await startServer({ publicUrl: PUBLIC_URL, provider: createProvider(oidcConfig(idp.issuer), CALLBACK) });
});
afterAll(async () => {
  await server.close();
  await idp.close();
});

/** The path and the query at which the browser comes back from the provider. */
async function comeBack(login: string): Promise<string> {
  browser = new Browser();
  const started = await browser.visit(`${server.url}${START}`);
  expect(started.status).toBe(303);
  const { pathname, search } = new URL(await browser.signInAt(started, login, new URL(PUBLIC_URL).host));
  return `${pathname}${search}`;
}

async function signIn(login: string) {
  const path = await comeBack(login);
  return browser.visit(`${server.url}${path}`);
}

const json = (response: Response): Promise<any> => response.json();
const account = async (at = server) => (await json(await browser.visit(`${at.url}/console/v1/session`))).data;
const readMessage = async (response: Response) => [response.status, (await json(response)).message];

describe("signing in with a provider", () => {
  test("begins with a redirect that has PKCE, a state and a nonce, bound to the browser for ten minutes", async () => {
    const started = await new Browser().visit(`${server.url}${START}`);
    const url = new URL(started.headers.get("Location") ?? "");
    expect(`${url.origin}`).toBe(idp.issuer);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: CLIENT.clientID,
      response_type: "code",
      redirect_uri: CALLBACK,
      scope: "openid email profile",
      code_challenge_method: "S256",
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(started.headers.get("Set-Cookie")).toMatch(/^gatehouse_sign_in=[\w-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  test("is offered beside passwords, to those who ask without a parameter", async () => {
    expect((await server.client.getSignInMethods()).data).toEqual({
      password: true,
      passkey: false,
      singleSignOn: true,
      passwordReset: false,
    });
    expect(await server.send("GET", "/console/v1/session/methods?surprise=1", { key: null })).toMatchObject({
      status: 400,
      body: { code: "invalid_request", errors: [{ property: "surprise", errorMessage: "is unknown" }] },
    });
  });

  test("takes no parameter", async () => {
    expect((await server.send("GET", `${START}?surprise=1`)).body.errors).toEqual([{ property: "surprise", errorMessage: "is unknown" }]);
  });

  test("creates a person at their first sign-in, and finds them again by their subject, even with another address", async () => {
    const first = await signIn("grace");
    expect([first.status, first.headers.get("Location")]).toEqual([303, `${PUBLIC_URL}/`]);
    const { person, projects } = await account();
    expect([person, projects]).toMatchObject([{ email: "grace@example.com", firstName: "Grace", lastName: "Brewster Hopper" }, []]);
    accounts.grace = known("renamed@elsewhere.org");
    await signIn("grace");
    expect((await account()).person).toEqual(person);
    expect(await server.database.prisma.change.count({ where: { entityID: person.id } })).toBe(1);
  });

  test("makes one person of several first sign-ins at once", async () => {
    accounts.twice = known("twice@example.com");
    const visits: (() => Promise<Response>)[] = [];
    for (let count = 0; count < 4; count += 1) {
      const path = await comeBack("twice");
      const own = browser;
      visits.push(() => own.visit(`${server.url}${path}`));
    }
    const answers = await Promise.all(visits.map((visit) => visit()));
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303]);
    expect(await server.database.prisma.person.count({ where: { email: "twice@example.com" } })).toBe(1);
  });

  test("lasts twelve hours at most", async () => {
    await signIn("grace");
    expect((await account()).endsTime).toBe(server.clock.now + 12 * HOUR_MS);
  });

  test("links a person who exists, by a verified address of an allowed domain", async () => {
    const { person } = await makePerson(server, { email: "linked@example.com" });
    accounts.linked = known("linked@example.com");
    await signIn("linked");
    expect((await account()).person.id).toBe(person.id);
  });

  test.each([
    ["unverified", "The provider has not verified your email address. Ask an administrator of the provider."],
    ["stranger", "Your email address is not in a domain that may sign in. Ask an administrator of this server."],
    ["suffix", "Your email address is not in a domain that may sign in. Ask an administrator of this server."],
  ])("does not admit %s, and names the administrator to ask", async (login, message) => {
    const people = await server.database.prisma.person.count();
    const response = await signIn(login);
    expect(await readMessage(response)).toEqual([403, message]);
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(await server.database.prisma.person.count()).toBe(people);
  });

  test("does not link a person by an address that is not verified", async () => {
    await makePerson(server, { email: "victim@example.com" });
    accounts.attacker = known("victim@example.com", { email_verified: "yes" });
    expect((await signIn("attacker")).status).toBe(403);
  });

  test("does not admit who is deactivated", async () => {
    const { person } = await makePerson(server, { email: "left@example.com" });
    await server.send("PATCH", `/console/v1/people/${person.id}`, { body: { isActive: false } });
    accounts.left = known("left@example.com");
    expect(await readMessage(await signIn("left"))).toEqual([403, "Your account is deactivated. Ask an administrator of this server."]);
  });
});

describe("a provider whose claim decides the role", () => {
  let mapped: TestServer;
  beforeAll(async () => {
    const roles: [string, string][] = [
      ["it", "administrator"],
      ["leads", "Admin"],
      ["developers", "Member"],
      ["guests", "Nothing"],
    ];
    const config = oidcConfig(idp.issuer, { roleClaim: "groups", roles });
    mapped = await server.replica(undefined, { provider: createProvider(config, CALLBACK) });
  });
  afterAll(() => mapped.close());

  /** Signs in a person with these groups. */
  async function signInWith(groups: unknown) {
    accounts.role = known("role@example.com", { groups });
    const path = await comeBack("role");
    return browser.visit(`${mapped.url}${path}`, { headers: { Cookie: browser.cookies(server.url) } });
  }
  const roleAfter = async (groups: unknown) => {
    const response = await signInWith(groups);
    expect(response.status).toBe(303);
    const { person, projects } = await account(mapped);
    return [person.isAdministrator, projects.map(({ id, role }: { id: string; role: string }) => [id, role])];
  };

  test("gives the role of the first value in the setting at each sign-in, and takes it away", async () => {
    expect(await roleAfter(["developers", "leads", "other"])).toEqual([false, [["default", "Admin"]]]);
    expect(await roleAfter("developers")).toEqual([false, [["default", "Member"]]]);
    expect(await roleAfter(["other"])).toEqual([false, []]);
    expect(await roleAfter(undefined)).toEqual([false, []]);
    expect(await roleAfter([1, { it: true }])).toEqual([false, []]);
  });

  test("grants the administrator role and takes it away, except from the last administrator", async () => {
    expect(await roleAfter(["it"])).toEqual([true, [["default", "Admin"]]]);
    const ada = (await json(await fetch(`${server.url}/console/v1/people`, { headers: asPerson(TEST_SESSION) }))).data.find(
      ({ email }: { email: string }) => email === TEST_ADMINISTRATOR.email,
    );
    await server.send("PATCH", `/console/v1/people/${ada.id}`, { body: { isAdministrator: false } });
    expect((await roleAfter(["developers"]))[0]).toBe(true);
    await server.database.prisma.$executeRaw`update person set "isAdministrator" = true where id = ${ada.id}`;
    expect(await roleAfter(["developers"])).toEqual([false, [["default", "Member"]]]);
  });

  test("says which role of the setting does not exist", async () => {
    const response = await signInWith(["guests"]);
    expect([response.status, (await json(response)).errors]).toEqual([
      400,
      [{ property: "role", errorMessage: "references role Nothing, which does not exist" }],
    ]);
  });
});

describe("coming back from the provider", () => {
  const late = "This sign-in was not begun in this browser, or too long ago. Sign in again.";
  const refused = "The provider did not sign you in, or this sign-in was used before. Sign in again.";

  test("is refused in another browser", async () => {
    const path = await comeBack("grace");
    expect(await readMessage(await new Browser().visit(`${server.url}${path}`))).toEqual([401, late]);
  });

  test("is refused with the state of another sign-in", async () => {
    const path = await comeBack("grace");
    await comeBack("grace");
    expect(await readMessage(await browser.visit(`${server.url}${path}`))).toEqual([401, refused]);
  });

  test("works once", async () => {
    const path = await comeBack("grace");
    const { Cookie } = { Cookie: browser.cookies(server.url) };
    expect((await browser.visit(`${server.url}${path}`)).status).toBe(303);
    expect(await readMessage(await fetch(`${server.url}${path}`, { headers: { Cookie } }))).toEqual([401, refused]);
  });

  test("says what to do after the person has cancelled, and ignores parameters that it does not know", async () => {
    browser = new Browser();
    const started = await browser.visit(`${server.url}${START}`);
    const state = new URL(started.headers.get("Location") ?? "").searchParams.get("state");
    const query = new URLSearchParams({
      error: "access_denied",
      state: state ?? "",
      session_state: "x",
      hd: "example.com",
      iss: idp.issuer,
    });
    expect(await readMessage(await browser.visit(`${CALLBACK.replace(PUBLIC_URL, server.url)}?${query}`))).toEqual([401, refused]);
  });

  test("is 400 with a code that is too long", async () => {
    const { status, body } = await server.send("GET", `${START}/callback?code=${"x".repeat(10_001)}`);
    expect([status, body.errors]).toEqual([400, [{ property: "code", errorMessage: "must NOT have more than 10000 characters" }]]);
  });

  test("is 500 while the server has a fault, and 503 while its database is away", async () => {
    const sharing = {
      publicUrl: PUBLIC_URL,
      provider: createProvider(oidcConfig(idp.issuer), CALLBACK),
    };
    const [broken, away] = [await startServer(sharing), await startServer(sharing)];
    await breakTables(broken.database);
    await away.database.cutOff();
    for (const [at, status] of [
      [broken, 500],
      [away, 503],
    ] as const) {
      const path = await comeBack("grace");
      expect((await browser.visit(`${at.url}${path}`, { headers: { Cookie: browser.cookies(server.url) } })).status).toBe(status);
      await at.close();
    }
  });

  test.each(["%", "e30", Buffer.from('{"state":1}').toString("base64url")])("ignores an invalid cookie: %s", async (cookie) => {
    const { status, body } = await server.send("GET", `${START}/callback?code=x`, { headers: { Cookie: `gatehouse_sign_in=${cookie}` } });
    expect([status, body.message]).toEqual([401, late]);
  });
});
