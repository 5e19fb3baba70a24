import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createConsoleClient } from "@gatehouse/client";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { connectClient } from "../support/mcp.ts";
import { startOtlpReceiver } from "../support/otlp-receiver.ts";
import { run } from "../support/process.ts";

const BUILD = fileURLToPath(new URL("../../build/", import.meta.url));
const KEY = "console-key-of-the-packages-test";

let folder: string;
let packed: string;
let environment: { [name: string]: string };
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-package-"));
  environment = { PATH: process.env.PATH ?? "", HOME: folder, HOST: "127.0.0.1", PORT: "0", GATEHOUSE_CONSOLE_KEY: KEY };
  const [file = ""] = readdirSync(BUILD).filter((name) => name.endsWith(".tgz"));
  packed = join(BUILD, file);
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--silent", packed], { cwd: folder, stdio: "inherit" });
});
const running: ChildProcess[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill("SIGKILL");
});
afterAll(() => rmSync(folder, { recursive: true }));

const inPackage = (file: string) => join(folder, "node_modules/@gatehouse/server", file);

/** Starts the installed server in its folder, and waits until it is ready. */
async function start(settings: { [name: string]: string } = {}) {
  const child = spawn(join(folder, "node_modules/.bin/gatehouse-server"), {
    cwd: folder,
    env: { ...environment, ...settings },
    stdio: ["ignore", "pipe", "inherit"],
  });
  running.push(child);
  const ended = once(child, "exit");
  const url = await new Promise<string>((resolve) => {
    let text = "";
    child.stdout.on("data", (chunk: Buffer) => {
      text += chunk;
      const [, ready] = /Gatehouse is ready at (\S+)/.exec(text) ?? [];
      if (ready) resolve(ready);
    });
  });
  return {
    url,
    api: createConsoleClient({ baseUrl: url, apiKey: KEY }),
    async stop() {
      child.kill("SIGTERM");
      return ended;
    },
  };
}

describe("the published package, installed into an empty folder", () => {
  test("has the server, the console and the documentation, with the licenses of what it contains, in at most 100 MB", () => {
    const sizes = readdirSync(join(folder, "node_modules"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => statSync(join(parentPath, name)).size);
    expect(sizes.reduce((sum, size) => sum + size, 0) / 1e6).toBeLessThan(100);
    const licenses = readFileSync(inPackage("THIRD_PARTY_LICENSES.txt"), "utf8");
    for (const name of ["express", "ajv", "pino", "pg", "@prisma/client", "@modelcontextprotocol/server", "vue"])
      expect(licenses).toMatch(new RegExp(`^${name} \\d`, "m"));
    for (const name of ["react", "react-dom", "@codemirror/view"]) expect(licenses).toMatch(new RegExp(`^## ${name} - \\d`, "m"));
    expect(existsSync(inPackage("LICENSE"))).toBe(true);
  });

  test("starts with nothing else, keeps its data over a restart, and ends with 0", async () => {
    const first = await start();
    const { data: gate } = await first.api.createGate({ body: { name: "kept" } });
    expect(await first.stop()).toEqual([0, null]);
    const second = await start();
    expect((await second.api.getGate({ path: { id: gate.id } })).data).toEqual(gate);
    expect(await second.stop()).toEqual([0, null]);
  });

  test("sends traces, metrics and logs to an OTLP receiver", async () => {
    const receiver = await startOtlpReceiver();
    const { url, stop } = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" });
    await fetch(`${url}/console/v1/gates`, { headers: { "STATSIG-API-KEY": KEY } });
    expect(await stop()).toEqual([0, null]);
    expect(receiver.spans().map(({ name }) => name)).toContain("GET /console/v1/gates");
    expect(receiver.metrics().map(({ name }) => name)).toContain("gatehouse_rulesets");
    expect(receiver.logs().map(({ body }) => body?.stringValue)).toContain("Stopped.");
    await receiver.close();
  });

  test("serves its pages, finds the country of an address, checks values in a separate thread, and returns the first 100 of many errors", async () => {
    const { url, api, stop } = await start();
    for (const path of ["/", "/docs/", "/docs/operate/install", "/docs/api/evaluation", "/openapi/console.json"])
      expect((await fetch(`${url}${path}`)).status).toBe(200);
    const { data: key } = await api.createKey({ body: { type: "CLIENT", description: "the package's test" } });
    const inNorway = { type: "country" as const, operator: "any" as const, targetValue: ["NO"] };
    await api.createGate({ body: { name: "in Norway", rules: [{ name: "all", passPercentage: 100, conditions: [inNorway] }] } });
    const checked = await fetch(`${url}/v1/check_gate`, {
      method: "POST",
      headers: { "STATSIG-API-KEY": key.key ?? "", "Content-Type": "application/json" },
      body: JSON.stringify({ gateName: "in_norway", user: { userID: "a", ip: "193.213.112.4" } }),
    });
    // The table of countries is a file of a dependency.
    expect([checked.status, await checked.json()]).toEqual([200, expect.objectContaining({ value: true })]);
    const schema = JSON.stringify({ type: "object", properties: { color: { type: "string", pattern: "^#" } } });
    const colored = { name: "colored", schema, defaultValue: { color: "red" } };
    await expect(api.createDynamicConfig({ body: colored })).rejects.toMatchObject({
      status: 400,
      errors: [{ property: "defaultValue.color" }],
    });
    // The bound of the patched validator, which is a part of the package.
    const rules = Array.from({ length: 1_000 }, () => ({ nmae: "" }));
    const faulty = await fetch(`${url}/console/v1/gates`, {
      method: "POST",
      headers: { "STATSIG-API-KEY": KEY, "Content-Type": "application/json" },
      body: JSON.stringify({ name: "faulty", rules }),
    });
    expect(faulty.status).toBe(400);
    expect(await faulty.json()).toMatchObject({ errors: { length: 100 } });
    expect(await stop()).toEqual([0, null]);
  });

  test("answers clients of MCP, with the documentation", async () => {
    const { url, stop } = await start();
    const { client, call } = await connectClient({ url, key: KEY });
    expect((await call("list_entities", { type: "gate" })).isError).toBe(false);
    expect((await call("read_docs", { path: "automate/mcp" })).text).toContain("# AI agents (MCP)");
    await client.close();
    expect(await stop()).toEqual([0, null]);
  });

  test("has the commands of administrators, which name themselves as they are run here", async () => {
    const command = (...args: string[]) => run(join(folder, "node_modules/.bin/gatehouse-server"), args, environment).ended;
    expect((await command("keys", "--help")).stdout).toContain("Usage: npx @gatehouse/server COMMAND\n");
    expect((await command("--help")).stdout).toContain("Usage: npx @gatehouse/server\n");
    const { code, stderr } = await command("toggles");
    expect([code, stderr]).toEqual([1, expect.stringContaining("Unknown command: toggles.\n\nUsage: npx @gatehouse/server COMMAND\n")]);
  });

  test("has a command of its own when it's installed globally, and names it", async () => {
    const prefix = join(folder, "global");
    execFileSync("npm", ["install", "--global", "--prefix", prefix, "--no-audit", "--no-fund", "--silent", packed], { stdio: "inherit" });
    const command = (...args: string[]) => run(join(prefix, "bin/gatehouse-server"), args, environment).ended;
    expect((await command("keys", "--help")).stdout).toContain("Usage: gatehouse-server COMMAND\n");
    expect((await command("--help")).stdout).toContain("Usage: gatehouse-server\n");
  });
});
