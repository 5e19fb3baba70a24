import { generateKeyPairSync } from "node:crypto";
import type { RequestListener } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createProvider } from "../../src/accounts/provider.ts";
import { type Accounts, Browser, type IdentityProvider, oidcConfig, startIdentityProvider } from "../support/identity-provider.ts";
import { startServer, type TestServer } from "../support/server.ts";

// A failed sign-in in the browser, in the log and in the audit log.

const PUBLIC_URL = "http://gatehouse.test:4000";
const START = "/console/v1/session/oidc";
const CALLBACK = `${PUBLIC_URL}${START}/callback`;
const REFUSED = "The provider did not sign you in, or this sign-in was used before. Sign in again.";
const HTML = { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

const accounts: Accounts = {
  grace: { email: "grace@example.com", email_verified: true },
  stranger: { email: "stranger@evil.org", email_verified: true },
};

/** Published instead of the keys that sign ID tokens. */
let published: object[] | undefined;
const otherKeys =
  (serve: RequestListener): RequestListener =>
  (request, response) => {
    if (!published) return serve(request, response);
    response.setHeader("Content-Type", "application/json").end(JSON.stringify({ keys: published }));
  };

let idp: IdentityProvider;
let server: TestServer;
beforeAll(async () => {
  idp = await startIdentityProvider(CALLBACK, accounts, { instead: { "/jwks": otherKeys } });
  server = await startServer({ publicUrl: PUBLIC_URL, provider: createProvider(oidcConfig(idp.issuer), CALLBACK) });
});
afterAll(async () => {
  await server.close();
  await idp.close();
});

async function signIn(login: string, headers: Record<string, string>, at = server) {
  const browser = new Browser();
  const started = await browser.visit(`${at.url}${START}`);
  const { pathname, search } = new URL(await browser.signInAt(started, login, new URL(PUBLIC_URL).host));
  return browser.visit(`${at.url}${pathname}${search}`, { headers });
}

const logOf = (response: Response, at = server) =>
  at.logged
    .map((line) => JSON.parse(line))
    .find(({ requestID, msg }) => requestID === response.headers.get("X-Request-Id") && msg === "A sign-in with the provider failed.");
const entries = async () =>
  (await server.send("GET", "/console/v1/instance/audit_logs?actionType=finishSingleSignOn&limit=100")).body.data.filter(
    ({ reason }: { reason: string }) => reason === "Failed to sign in.",
  );

/** Runs work with another server, whose provider has other settings. */
async function withProvider(changes: object, run: (at: TestServer) => Promise<void>): Promise<void> {
  const provider = createProvider(oidcConfig(idp.issuer, changes), CALLBACK);
  const at = await server.replica(undefined, { publicUrl: PUBLIC_URL, provider });
  await run(at).finally(() => at.close());
}

describe("a failed sign-in", () => {
  test("is a page for browsers, which runs nothing and has the ID of the request", async () => {
    const response = await signIn("stranger", HTML);
    const page = await response.text();
    expect([response.status, response.headers.get("Content-Type"), response.headers.get("Cache-Control")]).toEqual([
      403,
      "text/html; charset=utf-8",
      "no-store",
    ]);
    expect(response.headers.get("Vary")).toContain("Accept");
    expect(response.headers.get("Content-Security-Policy")).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self' 'nonce-[\w-]{22}'; img-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'$/,
    );
    expect(page).toContain("<p>Your email address is not in a domain that may sign in. Ask an administrator of this server.</p>");
    expect(page).toContain("<p>GATEHOUSE_OIDC_ALLOWED_DOMAINS does not list the domain of this person&#39;s address.</p>");
    expect(page).toContain(`Request ID: <code>${response.headers.get("X-Request-Id")}</code>`);
    const files = [...page.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path]) => path);
    expect(files.length).toBeGreaterThanOrEqual(3);
    for (const path of files) expect((await fetch(`${server.url}${path}`)).status).toBe(200);
  });

  test("is JSON for other callers", async () => {
    const response = await signIn("stranger", {});
    expect(await response.json()).toEqual({
      status: 403,
      code: "forbidden",
      message: "Your email address is not in a domain that may sign in. Ask an administrator of this server.",
    });
  });

  test("is in the log, and in the audit log once in a while for an address", async () => {
    const response = await signIn("stranger", HTML);
    expect(logOf(response)).toMatchObject({ level: 40, operation: "finishSingleSignOn", issuer: idp.issuer, subject: "stranger" });
    expect(await entries()).toMatchObject([{ entityID: "stranger@evil.org", updatedBy: "ANONYMOUS" }]);
    await Promise.all(Array.from({ length: 20 }, () => server.send("GET", `${START}/callback?code=x`, { key: null })));
    expect(await entries()).toHaveLength(1);
  });

  test("keeps the provider's own words out of the page, and logs them", async () => {
    const browser = new Browser();
    const started = await browser.visit(`${server.url}${START}`);
    const state = new URL(started.headers.get("Location") ?? "").searchParams.get("state") ?? "";
    const said = { error: "access_denied", error_description: `<b>Call 555</b>${"x".repeat(2000)}`, state, iss: idp.issuer };
    const response = await browser.visit(`${server.url}${START}/callback?${new URLSearchParams(said)}`, { headers: HTML });
    const page = await response.text();
    expect([response.status, page.includes("Call 555"), page.includes(REFUSED)]).toEqual([401, false, true]);
    const { cause } = logOf(response);
    expect(cause).toMatch(/^authorization response from the server is an error: access_denied: <b>Call 555<\/b>x+…$/);
    expect(cause).toHaveLength(501);
  });

  test("says that an ID token is not signed by the provider's keys", async () => {
    const { keys }: any = await (await fetch(`${idp.issuer}/jwks`)).json();
    const { n, e } = generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey.export({ format: "jwk" });
    published = keys.map((key: object) => ({ ...key, n, e }));
    await withProvider({}, async (at) => {
      const response = await signIn("grace", HTML, at);
      expect([response.status, logOf(response, at).cause]).toEqual([
        401,
        "invalid response encountered ← JWT signature verification failed",
      ]);
    }).finally(() => {
      published = undefined;
    });
  });

  test("says that the provider rejects the client", async () => {
    await withProvider({ clientSecret: "another secret" }, async (at) => {
      const response = await signIn("grace", HTML, at);
      expect(response.status).toBe(401);
      expect(await response.text()).toContain("Compare GATEHOUSE_OIDC_CLIENT_ID and GATEHOUSE_OIDC_CLIENT_SECRET");
      expect(logOf(response, at).cause).toContain("invalid_client");
    });
  });

  test("says which role of the settings does not exist", async () => {
    await withProvider({ roleClaim: "sub", roles: [["grace", "<Nothing>"]] }, async (at) => {
      const response = await signIn("grace", HTML, at);
      expect(response.status).toBe(400);
      expect(await response.text()).toContain("<li>role references role &lt;Nothing&gt;, which does not exist</li>");
    });
  });

  test("is a page where it begins", async () => {
    const plain = await server.replica(undefined, { provider: undefined });
    const response = await fetch(`${plain.url}${START}`, { headers: HTML });
    expect([response.status, response.headers.get("Content-Type")]).toEqual([404, "text/html; charset=utf-8"]);
    await plain.close();
  });
});
