import { createConsoleClient, createEvaluationClient, pages } from "@gatehouse/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createProvider } from "../../src/accounts/provider.ts";
import { Browser, type IdentityProvider, oidcConfig, startIdentityProvider } from "../support/identity-provider.ts";
import { makeKey } from "../support/keys.ts";
import { notifying, PROJECT } from "../support/notifying.ts";
import { listen, readStreamUrl } from "../support/ofrep.ts";
import { neededQuery, operations } from "../support/operations.ts";
import { sendRaw } from "../support/raw-request.ts";
import { reviewing } from "../support/reviewing.ts";
import { scheduling } from "../support/scheduling.ts";
import { SCIM, scimClient } from "../support/scim.ts";
import { makeList } from "../support/segments.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { TEST_ADMINISTRATOR } from "../support/template-database.ts";

// A server whose public URL has a path. A proxy may pass the path on or remove it.

const ORIGIN = "http://gatehouse.test:4000";
const BASE = "/gatehouse";
const PUBLIC_URL = `${ORIGIN}${BASE}`;
const CALLBACK = `${PUBLIC_URL}/console/v1/session/oidc/callback`;

let idp: IdentityProvider;
let server: TestServer;
beforeAll(async () => {
  idp = await startIdentityProvider(CALLBACK, { grace: { email: "grace@example.com", email_verified: true } });
  const provider = createProvider(oidcConfig(idp.issuer), CALLBACK);
  const securityContact = { contacts: ["mailto:security@example.com"] };
  server = await startServer({ publicUrl: PUBLIC_URL, scim: SCIM, provider, securityContact });
  for (const name of ["checkout", "search"]) await server.client.createTag({ body: { name } });
});
afterAll(async () => {
  await server.close();
  await idp.close();
});

const get = (target: string, headers: Record<string, string> = {}) =>
  sendRaw(server.url, target, { headers: { "SERVICE-API-KEY": server.key, ...headers } });
const getPage = (target: string) => get(target, { Accept: "text/html" });
/** What a browser at the public URL would request. */
const atServer = (url: string) => url.replace(ORIGIN, "");

describe("A request", () => {
  test.each([
    "/console/v1/tags",
    "/v2/download_config_specs",
    "/scim/v2/Users",
    "/openapi/console.json",
    "/docs/operate/install",
    "/livez",
    "/projects/a",
  ])("has the same answer with the base path and without it: %s", async (path) => {
    const [direct, below, absolute] = await Promise.all([
      getPage(path),
      getPage(BASE + path),
      getPage(`http://other.example${BASE}${path}`),
    ]);
    const withoutNonce = ({ text }: { text: string }) => text.replaceAll(/nonce="[\w-]{22}"|"(requestID|time)":[^,}]*/g, "");
    for (const answer of [below, absolute]) expect([answer.status, withoutNonce(answer)]).toEqual([direct.status, withoutNonce(direct)]);
  });

  test.each([
    ...["/gatehousex/console/v1/tags", "/gatehouse%2fconsole/v1/tags", "/%67atehouse/console/v1/tags", "/Gatehouse/console/v1/tags"],
    ...[
      "/gatehouse/gatehouse/console/v1/tags",
      "/gatehouse//console/v1/tags",
      "//gatehouse/console/v1/tags",
      "/gatehouse;/console/v1/tags",
    ],
    ...["/gatehouse/./console/v1/tags", "/gatehouse/../console/v1/tags", "/x/../gatehouse/console/v1/tags", "/gatehouse\\console/v1/tags"],
  ])("returns 404 outside the base path, or below it twice: %s", async (target) => {
    const { status, headers, text } = await get(target, { Accept: "application/json" });
    expect([status, headers.location, JSON.parse(text).code]).toEqual([404, undefined, "not_found"]);
  });

  test("redirects the base path to the console, and keeps the query and the host", async () => {
    const { status, headers } = await get(`${BASE}?after=%2Fgates`);
    expect([status, headers.location]).toEqual([301, `${BASE}/?after=%2Fgates`]);
    expect((await getPage(`${BASE}/`)).text).toContain("<title>Gatehouse</title>");
    for (const target of [`${BASE}//evil.example`, `${BASE}/\\evil.example`])
      expect((await getPage(target)).headers.location).toBeUndefined();
    expect((await sendRaw(server.url, BASE, { method: "POST" })).status).toBe(404);
  });
});

/** Every text of a JSON document that is an address of this server. */
function addressesIn(value: unknown): string[] {
  if (typeof value === "string") return /^\/(\w|$)|^https?:\/\/gatehouse\.test\b/.test(value) ? [value] : [];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(addressesIn) : [];
}
const isBelow = (address: string) => new URL(address, ORIGIN).href.startsWith(`${PUBLIC_URL}/`);

describe("An answer has addresses below the base path:", () => {
  const lists = operations.filter(({ method, path }) => method === "GET" && !path.includes("{"));

  test("the links of lists, which lead to their pages", async () => {
    let count = 0;
    for (const { path, parameters } of lists) {
      const { body } = await server.send("GET", `${path}?${[neededQuery({ parameters }), "limit=1"].filter(Boolean).join("&")}`);
      if (body.pagination)
        expect.soft([path, Object.values(body.pagination).flatMap(addressesIn).filter(isBelow).length > 0]).toEqual([path, true]);
      expect.soft([path, addressesIn(body).filter((address) => !isBelow(address))]).toEqual([path, []]);
      count += body.pagination ? 1 : 0;
    }
    expect(count).toBeGreaterThan(20);
    const { nextPage } = (await server.client.listTags({ query: { limit: 1 } })).pagination;
    expect(nextPage).toBe(`${BASE}/console/v1/tags?page=2&limit=1`);
    expect(JSON.parse((await get(nextPage ?? "")).text).pagination.previousPage).toBe(`${BASE}/console/v1/tags?page=1&limit=1`);
  });

  test("one-time links, and the URLs of reports", async () => {
    const invited = await server.client.inviteUsers({ body: { emails: ["new@example.com"], role: "Member" } });
    expect(invited.data[0]?.url).toMatch(/^http:\/\/gatehouse\.test:4000\/gatehouse\/welcome#[\w-]+$/);
    const { data } = await server.client.getReport({ query: { type: "pulse_daily", date: "2025-11-19" } });
    expect(data.url).toMatch(/^http:\/\/gatehouse\.test:4000\/gatehouse\/console\/v1\/reports\/file\?/);
    expect((await get(atServer(data.url))).status).toBe(200);
  });

  test("the pages of notifications, and their list", async () => {
    const owner = await reviewing(() => server).colleague();
    const { texts, read } = notifying(() => server);
    const { id } = (await owner.client.createGate({ body: { name: "gone" } })).data;
    const query = { applyAt: server.clock.now + 3_600_000 };
    const { data } = await owner.client.schedule.patchGate({ path: { id }, body: { description: "New." }, query });
    await server.client.deleteGate({ path: { id } });
    await scheduling(() => server).pass(data);
    await texts(owner);
    expect((await read(owner))[0]?.link).toBe(`${BASE}/projects/default/scheduled-changes`);
    const { pagination } = await owner.client.listNotifications({ path: PROJECT });
    expect(pagination.all).toBe(`${BASE}/console/v1/projects/default/notifications`);
  });

  test("streams of flag changes and files of id lists, whose tokens open them", async () => {
    const requestUri = await readStreamUrl(server, (await makeKey(server, { type: "CLIENT" })).key);
    expect(requestUri).toMatch(/^\/gatehouse\/ofrep\/v1\/stream\?token=/);
    for (const target of [requestUri, requestUri.slice(BASE.length)]) {
      const stream = await listen(server, target);
      expect(stream.status).toBe(200);
      stream.close();
    }
    const list = await makeList(
      server,
      Array.from({ length: 1001 }, (_, index) => `user ${index}`),
    );
    const rules = [{ name: "Listed", passPercentage: 100, conditions: [{ type: "passes_segment" as const, targetValue: list }] }];
    await server.client.createGate({ body: { name: "for_list", isEnabled: true, rules } });
    const read = async () => (await server.send("POST", "/v1/get_id_lists", { body: {} })).body[list]?.url ?? "";
    await expect.poll(read).toMatch(/^http:\/\/gatehouse\.test:4000\/gatehouse\/v1\/id_lists\//);
    const url = atServer(await read());
    expect([(await sendRaw(server.url, url)).status, (await sendRaw(server.url, url.slice(BASE.length))).status]).toEqual([200, 200]);
  });

  test("SCIM, the OpenAPI documents and security.txt", async () => {
    const scim = scimClient(server);
    const { body, headers } = await scim.createUser("someone@example.com");
    expect([headers.get("Location"), body.meta.location]).toEqual(Array(2).fill(`${PUBLIC_URL}/scim/v2/Users/${body.id}`));
    expect((await scim.send("GET", "/ServiceProviderConfig")).body.documentationUri).toBe(`${PUBLIC_URL}/docs/api/scim`);
    for (const name of ["console", "evaluation", "scim"]) {
      const { text } = await get(`${BASE}/openapi/${name}.json`);
      expect(JSON.parse(text).servers).toEqual([{ url: PUBLIC_URL }]);
      expect(text).not.toMatch(/["(]\/docs\//);
    }
    expect((await get("/.well-known/security.txt")).text).toContain(`Canonical: ${PUBLIC_URL}/.well-known/security.txt\n`);
  });
});

describe("A page has addresses below the base path, and loads files there:", () => {
  const addresses = (html: string) => [...html.matchAll(/ (?:href|src)="(\/[^"#?]*)/g)].map(([, address = ""]) => address);

  test("the console, and why a sign-in failed", async () => {
    const { text } = await getPage(`${BASE}/projects/default/gates`);
    const failed = await getPage(`${BASE}/console/v1/session/oidc/callback?error=access_denied`);
    expect([failed.status, addresses(failed.text)]).toEqual([401, expect.arrayContaining([`${BASE}/sign-in`])]);
    const files = new Set([...addresses(text), ...addresses(failed.text)].filter((address) => address.includes("/assets/")));
    expect(files.size).toBeGreaterThan(3);
    for (const file of files) expect([file.startsWith(`${BASE}/assets/`), (await get(file)).status]).toEqual([true, 200]);
  });

  test("the docs, whose scripts still match their policy", async () => {
    expect((await get(`${BASE}/docs`)).headers.location).toBe(`${BASE}/docs/`);
    for (const page of ["", "start/quick-start", "api/console"]) {
      const { text, headers } = await getPage(`${BASE}/docs/${page}`);
      expect(text).not.toMatch(/["(]\/docs\//);
      const scripts = [...text.matchAll(/<script(?: [^>]*)?>(.*?)<\/script>/gs)].flatMap(([, script]) => script || []);
      const policy = String(headers["content-security-policy"]);
      for (const script of scripts) {
        const digest = Buffer.from(await crypto.subtle.digest("SHA-256", Buffer.from(script))).toString("base64");
        expect(policy).toContain(`'sha256-${digest}'`);
      }
    }
    const loaded = addresses((await getPage(`${BASE}/docs/`)).text).filter((address) => /\.(js|css|svg)$/.test(address));
    expect(loaded.length).toBeGreaterThan(3);
    for (const file of loaded) {
      const { status, text } = await get(file);
      expect([file, status, /"\/docs\//.test(text)]).toEqual([file, 200, false]);
    }
  });
});

describe("Signing in", () => {
  test("sets a cookie for the base path alone, which opens a session there", async () => {
    const { session } = await createConsoleClient({ baseUrl: `${server.url}${BASE}` }).createSession({ body: TEST_ADMINISTRATOR });
    const { data } = await createConsoleClient({ baseUrl: `${server.url}${BASE}/`, session }).getSession();
    expect(data.person.email).toBe(TEST_ADMINISTRATOR.email);
    const answer = await server.send("POST", "/console/v1/session", { body: TEST_ADMINISTRATOR, key: null });
    expect(answer.headers.get("Set-Cookie")).toMatch(
      /^gatehouse_session=[\w-]{43}; Max-Age=1209600; Path=\/gatehouse; HttpOnly; SameSite=Strict$/,
    );
  });

  test("by https sets a cookie for https alone, which the client knows", async () => {
    const secure = await server.replica(undefined, { publicUrl: "https://example.com/tools/gatehouse" });
    const answer = await secure.send("POST", "/console/v1/session", { body: TEST_ADMINISTRATOR, key: null });
    expect(answer.headers.get("Set-Cookie")).toMatch(
      /^__Secure-gatehouse_session=[\w-]{43}; Max-Age=1209600; Path=\/tools\/gatehouse; HttpOnly; Secure; SameSite=Strict$/,
    );
    const baseUrl = `${secure.url}/tools/gatehouse`;
    const { session } = await createConsoleClient({ baseUrl }).createSession({ body: TEST_ADMINISTRATOR });
    expect((await createConsoleClient({ baseUrl, session }).getSession()).data.person.email).toBe(TEST_ADMINISTRATOR.email);
    await secure.close();
  });

  test("with a provider comes back below the base path", async () => {
    const browser = new Browser();
    const started = await browser.visit(`${server.url}${BASE}/console/v1/session/oidc`);
    expect(new URL(started.headers.get("Location") ?? "").searchParams.get("redirect_uri")).toBe(CALLBACK);
    expect(started.headers.get("Set-Cookie")).toContain("; Path=/gatehouse; ");
    const { pathname, search } = new URL(await browser.signInAt(started, "grace", new URL(ORIGIN).host));
    const finished = await browser.visit(`${server.url}${pathname}${search}`);
    expect([finished.status, finished.headers.get("Location")]).toEqual([303, `${PUBLIC_URL}/`]);
  });
});

describe("The client, given a URL with a path,", () => {
  test("calls both APIs, and reads every page of a list", async () => {
    const options = { baseUrl: `${server.url}${BASE}`, apiKey: server.key };
    const names: string[] = [];
    for await (const { name } of pages(createConsoleClient(options).listTags, { query: { limit: 1 } })) names.push(name);
    expect(names).toEqual(expect.arrayContaining(["checkout", "search"]));
    const { flags } = await createEvaluationClient(options).evaluateFlags({ body: { context: { targetingKey: "alice" } } });
    expect(flags).toBeInstanceOf(Array);
  });
});
