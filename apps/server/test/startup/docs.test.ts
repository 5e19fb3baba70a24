import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import consoleDocument from "@gatehouse/contract/console.json" with { type: "json" };
import evaluationDocument from "@gatehouse/contract/evaluation.json" with { type: "json" };
import scimDocument from "@gatehouse/contract/scim.json" with { type: "json" };
import { type Browser, chromium, type Locator, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findChromium } from "../support/browser.ts";
import { needs } from "../support/needs.ts";
import { startServer, type TestServer } from "../support/server.ts";

type DocumentedOperation = { operationId: string; summary: string; tags: string[] };
type PathItem = Record<string, Partial<DocumentedOperation>>;

const listOperations = ({ paths }: { paths: object }) =>
  Object.values(paths as Record<string, PathItem>)
    .flatMap((item) => Object.values(item))
    .filter((node): node is DocumentedOperation => node.operationId !== undefined);
const APIS = [
  { name: "console", page: "/docs/api/console", operations: listOperations(consoleDocument) },
  { name: "evaluation", page: "/docs/api/evaluation", operations: listOperations(evaluationDocument) },
  { name: "scim", page: "/docs/api/scim", operations: listOperations(scimDocument) },
];

const DOCS = fileURLToPath(new URL("../../../../docs/", import.meta.url));
const pages = readdirSync(DOCS, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".md"))
  .map((file) => readFileSync(join(DOCS, file), "utf8"));

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

describe("the contract over HTTP", () => {
  test.each([
    ["console", consoleDocument],
    ["evaluation", evaluationDocument],
    ["scim", scimDocument],
  ])("is the bundled document at /openapi/%s.json", async (name, document) => {
    const { status, body } = await server.send("GET", `/openapi/${name}.json`, { key: null });
    expect(status).toBe(200);
    expect(body).toEqual(document);
  });
});

describe("a page of the docs", () => {
  test.each(APIS)("is sent whole, even for range and conditional requests: $page", async ({ page }) => {
    const whole = await server.send("GET", page, { key: null });
    expect([whole.status, whole.headers.get("Content-Type")]).toEqual([200, "text/html; charset=utf-8"]);
    const [scripts] = whole.headers.get("Content-Security-Policy")?.match(/script-src [^;]*/) ?? [];
    expect(scripts).toMatch(/^script-src( 'sha256-[\w+/]{43}=')+ blob:$/);
    expect(whole.headers.get("Permissions-Policy")).toContain("camera=()");
    const conditions: Record<string, string>[] = [
      { Range: "bytes=99999999-" },
      { "If-Match": '"another"' },
      { "If-Unmodified-Since": "Thu, 01 Jan 1970 00:00:00 GMT" },
    ];
    for (const headers of conditions) {
      const { status, body } = await server.send("GET", page, { key: null, headers });
      expect([status, body === whole.body]).toEqual([200, true]);
    }
    // Without its own Cache-Control, fetch demands a new copy.
    const headers = { "If-None-Match": whole.headers.get("ETag") ?? "", "Cache-Control": "max-age=0" };
    expect((await server.send("GET", page, { key: null, headers })).status).toBe(304);
  });
});

describe("the guide", () => {
  test("has its pages and files at their addresses, and sends a page for an address without a slash", async () => {
    const get = (path: string) => server.send("GET", path, { key: null, headers: { "Cache-Control": "max-age=0" } });
    const home = await get("/docs/");
    expect([home.status, home.headers.get("Content-Type"), home.headers.get("Cache-Control")]).toEqual([
      200,
      "text/html; charset=utf-8",
      "no-cache",
    ]);
    expect(home.headers.get("Content-Security-Policy")).toMatch(
      /^default-src 'none'; script-src 'self'( 'sha256-[\w+/]{43}=')+; style-src/,
    );
    const moved = await fetch(`${server.url}/docs`, { redirect: "manual" });
    expect([moved.status, moved.headers.get("Location")]).toEqual([301, "/docs/"]);
    const [asset = ""] = home.body.match(/\/docs\/assets\/app\.[\w-]+\.js/) ?? [];
    const script = await get(asset);
    expect([script.status, script.headers.get("Cache-Control")]).toEqual([200, "public, max-age=31536000, immutable"]);
    const markdown = await get("/docs/use/rollouts.md");
    expect([markdown.status, markdown.headers.get("Content-Type")]).toEqual([200, "text/markdown; charset=utf-8"]);
    expect(markdown.body).toContain("# Rollouts");
    for (const path of ["/docs/absent", "/docs/operate/install.html", "/docs/assets/../index", "/docs/%2e%2e/package.json"])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
  });

  test("has every permission of the contract on its page", async () => {
    const { body } = await server.send("GET", "/docs/reference/permissions", { key: null });
    const { properties } = consoleDocument.components.schemas.Permissions;
    expect(Object.keys(properties).filter((name) => !body.includes(`<td><code>${name}</code></td>`))).toEqual([]);
  });

  test("links to operations that the contracts have", () => {
    const links = pages.flatMap((text) => [...text.matchAll(/\/api\/(console|evaluation|scim)#\/([\w-]+)\/(\w+)/g)]);
    const places = APIS.flatMap(({ name, operations }) =>
      operations.flatMap(({ tags, operationId }) =>
        tags.map((tag) => `${name} ${tag.toLowerCase().replaceAll(" ", "-")} ${operationId.toLowerCase()}`),
      ),
    );
    expect(links.map(([, ...parts]) => parts.join(" ")).filter((place) => !places.includes(place))).toEqual([]);
    expect(links.length).toBeGreaterThan(1);
  });
});

describe("the docs in a browser without a network", needs.chromium, () => {
  let browser: Browser;
  let page: Page;
  /** Requests to other hosts, console errors and uncaught errors of the page. Must stay empty. */
  const faults: string[] = [];

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: findChromium(), args: ["--no-sandbox", "--disable-background-networking"] });
    page = await browser.newPage({ viewport: { width: 1400, height: 1000 } });
    page.setDefaultTimeout(60_000);
    page.on("console", (message) => message.type() === "error" && faults.push(`console: ${message.text()}`));
    page.on("pageerror", (error) => faults.push(`uncaught: ${error.message}`));
    await page.route("**", (route) => {
      const url = route.request().url();
      if (url.startsWith(`${server.url}/`) || url.startsWith("data:") || url.startsWith("blob:")) return route.continue();
      faults.push(`request: ${url}`);
      return route.abort();
    });
  });
  afterAll(() => browser?.close());

  describe.each(APIS)("of the $name API", ({ name, page: path, operations }) => {
    beforeAll(async () => {
      await page.goto(`${server.url}${path}`);
      await expectShown(page.getByRole("heading", { name: `Gatehouse ${name === "scim" ? "SCIM" : name} API` }));
    });

    const tags = [...new Set(operations.flatMap(({ tags }) => tags))];
    // One list makes the navigation of all.
    test.each([...new Set([tags[0] as string, tags.at(-1) as string])])(
      "%s: the navigation lists every operation by its summary, and shows the first and the last one",
      async (tag) => {
        const summaries = operations.filter(({ tags }) => tags.includes(tag)).map(({ summary }) => summary);
        await inNavigation(page, tag).click();
        for (const summary of summaries) await expectShown(inNavigation(page, summary));
        for (const summary of new Set([summaries[0] as string, summaries.at(-1) as string])) {
          await inNavigation(page, summary).click();
          await expectShown(page.getByRole("heading", { level: 2 }).getByText(summary, { exact: true }));
        }
      },
    );
  });

  test.each([
    ["/docs/api/console#/gates/creategate", '-H "SERVICE-API-KEY: $GATEHOUSE_CONSOLE_KEY"'],
    ["/docs/api/console#/keys/createkey", '-H "SERVICE-API-KEY: $GATEHOUSE_CONSOLE_KEY"'],
    ["/docs/api/evaluation#/ofrep/evaluateflag", '-H "Authorization: Bearer $GATEHOUSE_KEY"'],
    ["/docs/api/scim#/users/createscimuser", '-H "Content-Type: application/scim+json"'],
    ["/docs/api/evaluation#/ofrep/streamflagchanges", 'curl "http://127.0.0.1:4000/ofrep/v1/stream?token=$TOKEN"'],
  ])("an operation shows a call that can be copied: %s", async (place, line) => {
    await page.goto("about:blank");
    await page.goto(`${server.url}${place}`);
    await expectShown(page.getByText(line));
  });

  test("each page links to the other", async () => {
    await page.goto(`${server.url}/docs/api/console`);
    await page.getByRole("link", { name: "evaluation API", exact: true }).first().click();
    await page.waitForURL(`${server.url}/docs/api/evaluation`);
    await page.getByRole("link", { name: "console API", exact: true }).first().click();
    await page.waitForURL(`${server.url}/docs/api/console`);
    await expectShown(page.getByRole("heading", { name: "Gatehouse console API" }));
  });

  test.each([
    ["Postgres", "TLS and private CAs"],
    ["Postgres", "Pool size"],
    ["Reverse proxies", "nginx"],
    ["Single sign-on", "Microsoft Entra ID"],
    ["Backup and restore", "Embedded database"],
    ["ClickHouse", "Events in ClickHouse"],
    ["Upgrade", "Without downtime"],
  ])("the guide leads from its first page to %s in two clicks, where there is: %s", async (link, heading) => {
    await page.goto(`${server.url}/docs`);
    await page.getByRole("navigation", { name: "Main Navigation" }).getByRole("link", { name: "Operate" }).click();
    await page.getByRole("complementary").getByRole("link", { name: link, exact: true }).click();
    await expectShown(page.getByRole("heading", { name: heading }));
  });

  test("the guide finds a page by its words", async () => {
    await page.goto(`${server.url}/docs/`);
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByRole("searchbox").fill("passkeys");
    await page.getByRole("option").getByText("Second factors").click();
    await page.waitForURL(`${server.url}/docs/operate/people-and-keys#second-factors`);
    await expectShown(page.getByRole("heading", { name: "Second factors" }));
  });

  test("a link of the guide to an operation shows that operation", async () => {
    await page.goto(`${server.url}/docs/connect/sdks`);
    await page.getByRole("link", { name: "createKey" }).click();
    await page.waitForURL(`${server.url}/docs/api/console#/keys/createkey`);
    await expectShown(page.getByRole("heading", { name: "Create a key" }));
  });

  test("the pages load nothing from other hosts and report no errors", () => {
    expect(faults).toEqual([]);
  });
});

async function expectShown(content: Locator): Promise<void> {
  await content.first().waitFor();
  expect(await content.first().isVisible()).toBe(true);
}

function inNavigation(page: Page, text: string) {
  return page.getByRole("listitem").getByText(text, { exact: true }).first();
}
