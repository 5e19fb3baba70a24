import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createConsoleClient } from "@gatehouse/client";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { connectClient } from "../support/mcp.ts";
import { startOtlpReceiver } from "../support/otlp-receiver.ts";
import { run } from "../support/process.ts";

const PACKAGES = fileURLToPath(new URL("../../../../packages/", import.meta.url));
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

/** Packs the client and the command line with the contract that they need, and installs them into an empty folder. */
function installTools(): string {
  const tools = join(folder, "tools");
  mkdirSync(tools);
  const names = ["contract", "client", "cli"];
  for (const name of names)
    execFileSync("npx", ["--yes", "pnpm@12", "pack", "--out", join(tools, `${name}.tgz`)], { cwd: join(PACKAGES, name), stdio: "pipe" });
  writeFileSync(join(tools, "package.json"), JSON.stringify({ name: "consumer", private: true }));
  const install = ["install", "--prefer-offline", "--no-audit", "--no-fund", "--silent", ...names.map((name) => `./${name}.tgz`)];
  execFileSync("npm", install, { cwd: tools, stdio: "inherit" });
  return tools;
}

/** The operations that the project began with: each with its message, and a part of its result. */
const SEED_RESULTS = [
  ["unarchiveGate", "Gate updated successfully.", "In Progress"],
  ["updateGate", "Gate updated successfully.", ["Packed.", null]],
  ["listGateDynamicConfigReferences", "Dynamic Configs listed successfully.", ["packed_config"]],
  ["listDynamicConfigs", "Dynamic Configs listed successfully.", ["packed_config"]],
  ["unarchiveDynamicConfig", "Dynamic config updated successfully.", "packed_config"],
  ["listExperimentVersions", "Experiment versions listed successfully.", 1],
  ["createLayer", "Layer created successfully.", "packed_layer"],
  ["listLayers", "Layers listed successfully.", ["packed_layer"]],
  ["patchLayerOverrides", "Layer Overrides updated successfully.", []],
  ["createSegment", "Segment created successfully.", "rule_based"],
  [
    "updateEnvironments",
    "Environments updated successfully.",
    [
      ["development", false],
      ["staging", false],
      ["production", true],
    ],
  ],
  ["listTeams", "Teams listed successfully.", ["Packers"]],
  ["updateMetricSource", "Metric source updated successfully.", "Orders."],
  ["listReleasePipelines", "List pipelines success", []],
  ["updateParamStore", "Param Store read successfully.", 1],
  ["listParamStores", "List param stores success", ["packed_store"]],
  ["createPrompt", "Prompt created successfully.", "packed_prompt"],
  ["listEventValues", "Event values listed successfully.", 0],
];

/** A figure for people who read the output of the tests. No test asserts it, because machines differ. */
const printFigure = (text: string) => process.stdout.write(`${text}\n`);

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
    const megabytes = sizes.reduce((sum, size) => sum + size, 0) / 1e6;
    printFigure(`Installed size: ${megabytes.toFixed(1)} MB in ${sizes.length.toLocaleString("en")} files.`);
    expect(megabytes).toBeLessThan(100);
    const licenses = readFileSync(inPackage("THIRD_PARTY_LICENSES.txt"), "utf8");
    for (const name of ["express", "ajv", "pino", "pg", "@prisma/client", "@modelcontextprotocol/server", "vue"])
      expect(licenses).toMatch(new RegExp(`^${name} \\d`, "m"));
    for (const name of ["react", "react-dom", "@codemirror/view"]) expect(licenses).toMatch(new RegExp(`^## ${name} - \\d`, "m"));
    expect(existsSync(inPackage("LICENSE"))).toBe(true);
  });

  test("starts with nothing else, keeps its data over a restart, and ends with 0", async () => {
    const begin = performance.now();
    const first = await start();
    printFigure(`Cold start on an empty folder: ${((performance.now() - begin) / 1000).toFixed(1)} s.`);
    const { data: gate } = await first.api.createGate({ body: { name: "kept" } });
    expect(await first.stop()).toEqual([0, null]);
    const second = await start();
    expect((await second.api.getGate({ path: { id: gate.id } })).data).toEqual(gate);
    expect(await second.stop()).toEqual([0, null]);
  });

  test("answers the packed client and the packed command line: a project's first operations, and its configuration as files", async () => {
    const tools = installTools();
    const { url, stop } = await start();
    const env = { ...environment, GATEHOUSE_URL: url, GATEHOUSE_KEY: KEY };
    cpSync(new URL("seed-operations.mjs", import.meta.url), join(tools, "operations.mjs"));
    const called = execFileSync(process.execPath, ["operations.mjs"], { cwd: tools, env, encoding: "utf8" });
    expect(JSON.parse(called)).toEqual(SEED_RESULTS);
    const gatehouse = (...args: string[]) => run(join(tools, "node_modules/.bin/gatehouse"), args, environment).ended;
    const project = join(tools, "project");
    expect((await gatehouse("login", "--url", url, "--key", KEY)).code).toBe(0);
    expect((await gatehouse("export", "--out", project)).code).toBe(0);
    expect((await gatehouse("plan", project)).stdout).toBe("No changes. The project is equal to the configuration.\n");
    const file = join(project, "gates/packed.yaml");
    writeFileSync(file, readFileSync(file, "utf8").replace("description: Packed.", "description: Applied."));
    const plan = await gatehouse("plan", project);
    expect([plan.code, plan.stdout]).toEqual([2, expect.stringContaining('    description: "Packed." → "Applied."\n')]);
    expect((await gatehouse("apply", project)).stdout).toBe("✓ gates/packed updated\nApplied 1 changes.\n");
    expect((await gatehouse("plan", project)).code).toBe(0);
    expect(await stop()).toEqual([0, null]);
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
