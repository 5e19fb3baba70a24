import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { findChromium } from "../support/browser.ts";
import { needs } from "../support/needs.ts";
import { startServer, type TestServer } from "../support/server.ts";

/** Chromium's message about the page's first request, which asks who is signed in. */
const NOT_SIGNED_IN = /^Failed to load resource: the server responded with a status of 401/;

/** Actions that a script in the page cannot take, although it knows the nonce. */
const INJECTIONS = `(() => {
  const catchError = (act) => { try { act(); } catch (error) { return error.name; } };
  const { nonce } = document.querySelector("meta[property=csp-nonce]");
  const script = Object.assign(document.createElement("script"), { nonce });
  script.append("window.ran = true");
  document.body.append(script);
  return {
    nonce: nonce !== "",
    inline: "ran" in window ? "ran" : "did not run",
    innerHTML: catchError(() => { document.body.innerHTML = "<b>x</b>"; }),
    address: catchError(() => { script.src = "/docs/api/console"; }),
    policy: catchError(() => trustedTypes.createPolicy("default", { createHTML: (text) => text })),
  };
})()`;

/** The colours of the page with a style that has the nonce, and with one that has another. */
const STYLES = `(() => {
  const { nonce } = document.querySelector("meta[property=csp-nonce]");
  return [nonce, "guessed"].map((given) => {
    const style = Object.assign(document.createElement("style"), { nonce: given });
    style.append("body { color: rgb(1, 2, 3) !important }");
    document.head.append(style);
    const { color } = getComputedStyle(document.body);
    style.remove();
    return color;
  });
})()`;

describe("the console's page in a browser", needs.chromium, () => {
  let server: TestServer;
  let browser: Browser;
  let page: Page;
  /** Everything the browser reports: console messages, uncaught errors, requests that failed or went elsewhere. */
  let reports: string[];

  beforeAll(async () => {
    server = await startServer();
    browser = await chromium.launch({ executablePath: findChromium(), args: ["--no-sandbox", "--disable-background-networking"] });
  });
  afterAll(async () => {
    await browser?.close();
    await server.close();
  });

  beforeEach(async () => {
    page = await browser.newPage();
    page.setDefaultTimeout(60_000);
    reports = [];
    page.on("console", (message) => NOT_SIGNED_IN.test(message.text()) || reports.push(message.text()));
    page.on("pageerror", (error) => reports.push(error.message));
    page.on("requestfailed", (request) => reports.push(`${request.url()} failed`));
    page.on("request", (request) => {
      if (!request.url().startsWith(`${server.url}/`)) reports.push(`${request.url()} was requested`);
    });
  });
  afterEach(() => page.close());

  test("runs its scripts and requests nothing from elsewhere", async () => {
    await page.addInitScript(`localStorage.setItem("gatehouse.theme", "dark")`);
    await page.goto(`${server.url}/`);
    await page.locator("#root > *").first().waitFor({ state: "attached" });
    expect(await page.locator("html").getAttribute("data-theme")).toBe("dark");
    expect(reports).toEqual([]);
  });

  test("runs no inline script and rejects text as markup or as a script address, for any script on the page", async () => {
    await page.goto(`${server.url}/`);
    expect(await page.evaluate(INJECTIONS)).toEqual({
      nonce: true,
      inline: "did not run",
      ...{ innerHTML: "TypeError", address: "TypeError", policy: "TypeError" },
    });
  });

  test("applies styles with its nonce and no others", async () => {
    await page.goto(`${server.url}/`);
    expect(await page.evaluate(STYLES)).toEqual(["rgb(1, 2, 3)", expect.not.stringContaining("rgb(1, 2, 3)")]);
  });

  describe("beside a page of another site", () => {
    let other: Server;
    let body: string;
    const site = () => `http://localhost:${(other.address() as AddressInfo).port}`;

    beforeAll(async () => {
      other = createServer((request, response) => {
        response.setHeader("Content-Type", "text/html").end(request.url === "/" ? body : "<title>Of the other site</title>");
      }).listen(0, "localhost");
      await once(other, "listening");
    });
    afterAll(() => other.close());

    test.each(["/", "/projects/default/gates", "/docs/", "/docs/api/console"])("cannot be shown in a frame: %s", async (path) => {
      body = `<iframe src="/own"></iframe><iframe src="${server.url}${path}"></iframe>`;
      await page.goto(site(), { waitUntil: "load" });
      const titles = await Promise.all(page.frames().map((frame) => frame.title()));
      expect(titles).toContain("Of the other site");
      expect(titles.join()).not.toContain("Gatehouse");
      expect(page.frames().map((frame) => frame.url())).toContain("chrome-error://chromewebdata/");
    });

    test("cannot be reached through the window that opened it", async () => {
      body = `<a href="${server.url}/gates" target="console" rel="opener">open</a>`;
      await page.goto(site());
      const opening = page.waitForEvent("popup");
      await page.getByText("open").click();
      const popup = await opening;
      await popup.waitForURL(`${server.url}/gates`);
      expect(await popup.evaluate("window.opener === null")).toBe(true);
      await popup.close();
    });

    test("does not let the other page load its scripts", async () => {
      const [, script = ""] = /<script type="module"[^>]* src="([^"]+)"/.exec((await server.send("GET", "/")).text) ?? [];
      body = `<script src="${server.url}${script}" onerror="document.title = 'refused'" onload="document.title = 'loaded'"></script>`;
      await page.goto(site(), { waitUntil: "load" });
      expect(await page.title()).toBe("refused");
    });
  });
});

describe("the console's page in a browser whose address is not allowed", needs.chromium, () => {
  test("says why people can't sign in, with the address that the server sees", async () => {
    const server = await startServer({ trustedProxies: ["loopback"], consoleAddresses: ["203.0.113.0/24"] });
    const browser = await chromium.launch({ executablePath: findChromium(), args: ["--no-sandbox", "--disable-background-networking"] });
    const page = await browser.newPage({ extraHTTPHeaders: { "X-Forwarded-For": "198.51.100.9" } });
    for (const path of ["/", "/sign-in"]) {
      await page.goto(`${server.url}${path}`);
      await page.getByRole("heading", { name: "You can’t sign in from here" }).waitFor();
      const text = await page.getByText("The console cannot be used from").textContent();
      expect(text).toContain("from 198.51.100.9. GATEHOUSE_CONSOLE_ADDRESSES does not include this address.");
    }
    await browser.close();
    await server.close();
  });
});
