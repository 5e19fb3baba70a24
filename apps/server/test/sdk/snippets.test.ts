import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findChromium } from "../support/browser.ts";
import { type Block, readBlocks } from "../support/documentation.ts";
import { needs } from "../support/needs.ts";
import { run } from "../support/process.ts";
import { waitFor } from "../support/wait-for.ts";
import { makeKeys } from "./support/flags.ts";
import { startRestartable } from "./support/restartable-server.ts";

// The programs of the documentation read a gate from the built server, as readers would paste them.

const APP = fileURLToPath(new URL("../../", import.meta.url));

let server: Awaited<ReturnType<typeof startRestartable>>;
let keys: Awaited<ReturnType<typeof makeKeys>>;
beforeAll(async () => {
  server = await startRestartable();
  keys = await makeKeys(server.client);
  const conditions = [{ type: "custom_field" as const, field: "plan", operator: "any" as const, targetValue: ["pro"] }];
  await server.client.createGate({ body: { name: "New checkout", rules: [{ name: "Pro", passPercentage: 100, conditions }] } });
  const headers = { Authorization: `Bearer ${keys.serverKey}`, "Content-Type": "application/json" };
  const body = JSON.stringify({ context: { targetingKey: "alice", plan: "pro" } });
  await waitFor(async () => {
    const response = await fetch(`${server.url}/ofrep/v1/evaluate/flags/new_checkout`, { method: "POST", headers, body });
    expect(await response.json()).toMatchObject({ value: true });
  });
});
afterAll(() => server.close());

const blocks = readBlocks().filter(({ language, skipped }) => language !== "sh" && skipped === undefined);
const findPackage = ({ code }: Block) => /from "(@?[\w-]+(?:\/[\w-]+)?)"/.exec(code)?.[1] ?? "fetch";
const titled = (isForBrowsers: boolean) =>
  blocks.filter((block) => block.isForBrowsers === isForBrowsers).map((block) => ({ page: block.page, uses: findPackage(block), block }));

describe("a program of the documentation", () => {
  test.each(titled(false))("reads the gate in Node: $page with $uses", async ({ block }) => {
    const parent = join(APP, "node_modules/.snippets");
    mkdirSync(parent, { recursive: true });
    const folder = mkdtempSync(join(parent, "run-"));
    try {
      const file = join(folder, "program.mjs");
      writeFileSync(file, await bundle(block, "node"));
      const { code, stdout, stderr } = await run(process.execPath, [file], { GATEHOUSE_KEY: keys.serverKey }).ended;
      expect([code, lastLine(stdout)], stderr).toEqual([0, "true"]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test.each(titled(true))("reads the gate in a browser: $page with $uses", needs.chromium, async ({ block }) => {
    const origin = await serve(await bundle(block, "browser"));
    const browser = await chromium.launch({
      executablePath: findChromium() as string,
      args: ["--no-sandbox", "--disable-background-networking"],
    });
    try {
      const page = await browser.newPage();
      const printed = page.waitForEvent("console", (message) => message.type() === "log");
      await page.goto(origin.url);
      expect((await printed).text()).toBe("true");
    } finally {
      await browser.close();
      origin.close();
    }
  });
});

const lastLine = (text: string) => text.trim().split("\n").at(-1);

async function bundle({ code, isForBrowsers }: Block, platform: "node" | "browser"): Promise<string> {
  const key = /OnDeviceEval/.test(code) ? keys.rulesetKey : keys.clientKey;
  const { outputFiles } = await build({
    stdin: { contents: code.replaceAll("http://127.0.0.1:4000", server.url).replaceAll("client-…", key), loader: "ts", resolveDir: APP },
    bundle: true,
    write: false,
    format: "esm",
    platform,
    ...(isForBrowsers ? {} : { packages: "external" }),
  });
  return outputFiles[0]?.text ?? "";
}

async function serve(script: string): Promise<{ url: string; close: () => void }> {
  const pages = createServer(({ url }, response) => {
    const isScript = url === "/page.js";
    response.setHeader("Content-Type", `${isScript ? "text/javascript" : "text/html"}; charset=utf-8`);
    response.end(isScript ? script : '<!doctype html><title>Application</title><script type="module" src="/page.js"></script>');
  });
  await new Promise<void>((resolve) => pages.listen(0, "127.0.0.1", resolve));
  const { port } = pages.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, close: () => void pages.close() };
}
