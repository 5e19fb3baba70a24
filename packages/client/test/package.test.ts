import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { afterAll, beforeAll, expect, test } from "vitest";

// The package as users get it: packed, installed into an empty project, and used against a live server.

const packageFolder = fileURLToPath(new URL("..", import.meta.url));
const serverMain = fileURLToPath(new URL("../../../apps/server/dist/main.js", import.meta.url));
const tsc = fileURLToPath(import.meta.resolve("typescript/bin/tsc"));
const project = mkdtempSync(join(tmpdir(), "gatehouse-consumer-"));
let server: ChildProcess;
let serverEnv: { BASE_URL: string; API_KEY: string };

beforeAll(async () => {
  pnpm(["pack", "--out", join(project, "client.tgz")], packageFolder);
  cpSync(new URL("./consumer", import.meta.url), project, { recursive: true });
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "consumer", private: true, type: "module" }));
  run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", "./client.tgz"], project);
  serverEnv = await startServer();
}, 120_000);

afterAll(() => {
  server?.kill();
  rmSync(project, { recursive: true, force: true });
});

test("the package has its files, its licence and one dependency", () => {
  const installed = join(project, "node_modules/@gatehouse/client");
  const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  expect(manifest.dependencies).toEqual({ "openapi-fetch": expect.stringMatching(/^\d+\.\d+\.\d+$/) });
  expect(manifest.license).toBe("Apache-2.0");
  expect(readdirSync(installed, { recursive: true }).sort()).toEqual([
    "LICENSE",
    "README.md",
    "dist",
    "dist/index.d.ts",
    "dist/index.js",
    "package.json",
  ]);
});

const { version } = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8"));

test("a plain Node program drives a live server with it", () => {
  const output = execFileSync(process.execPath, ["program.mjs"], { cwd: project, encoding: "utf8", env: { ...process.env, ...serverEnv } });
  expect(JSON.parse(output)).toEqual({
    created: "new_checkout",
    listed: ["new_checkout", "second", "third"],
    changed: "The one-page checkout.",
    stale: { status: 412, code: "precondition_failed", isConsoleApiError: true },
    invalid: ["name"],
    missing: "getGate: 404 Gate nope does not exist.",
    userAgent: `gatehouse-client/${version}`,
  });
}, 60_000);

test("a strict TypeScript program type-checks with it", () => {
  expect(() => run(process.execPath, [tsc, "-p", "tsconfig.json"], project)).not.toThrow();
}, 120_000);

test("an editor shows what the contract says of every method, and of fields and parameters", () => {
  const file = join(project, "hovered.ts");
  const text = `import { createConsoleClient, createEvaluationClient } from "@gatehouse/client";
const api = createConsoleClient({ baseUrl: "", apiKey: "" });
export const evaluation = createEvaluationClient({ baseUrl: "", apiKey: "" });
const { data } = await api.createGate({ body: { name: "x", idType: "companyID" }, query: { dryRun: true } });
console.log(data.holdoutIDs);`;
  const service = createLanguageService(file, text);
  const hover = (name: string) => {
    const found = service.getQuickInfoAtPosition(file, text.indexOf(name));
    return { type: ts.displayPartsToString(found?.displayParts), comment: ts.displayPartsToString(found?.documentation) };
  };
  expect(hover("createGate")).toEqual({
    type: expect.stringMatching(/^\(property\) createGate: \(request: MethodRequest<[^<]{1,40}>\) => Promise<MethodResult<[^<]{1,40}>>$/),
    comment: expect.stringMatching(/^Create a gate\n\nOnly `name` is required\./),
  });
  expect(["idType", "dryRun", "holdoutIDs"].map((name) => hover(name).comment)).toEqual([
    expect.stringMatching(/^\w.+\.$/s),
    expect.stringMatching(/^\w.+\.$/s),
    "The ids of the holdouts that list this gate.",
  ]);
  const program = service.getProgram() as ts.Program;
  const checker = program.getTypeChecker();
  const clients = ["api", "evaluation"].map((name) => {
    const declaration = program.getSourceFile(file)?.statements.find((one) => one.getText().includes(`const ${name} =`));
    return checker.getTypeAtLocation((declaration as ts.VariableStatement).declarationList.declarations[0] as ts.Node);
  });
  const methods = clients.flatMap((type) => type.getProperties()).filter(({ name }) => name !== "raw");
  const silent = methods.filter((method) => method.getDocumentationComment(checker).length === 0);
  expect(silent.map(({ name }) => name)).toEqual([]);
  expect(methods.length).toBeGreaterThan(300);
}, 120_000);

/** TypeScript as an editor runs it, for one file of the project. */
function createLanguageService(file: string, text: string): ts.LanguageService {
  const read = (name: string) => (name === file ? text : ts.sys.readFile(name));
  const { NodeNext } = ts.ModuleKind;
  return ts.createLanguageService({
    getCompilationSettings: () => ({
      ...{ module: NodeNext, target: ts.ScriptTarget.ES2022, strict: true, types: [] },
      lib: ["lib.es2022.d.ts", "lib.dom.d.ts"],
    }),
    getCurrentDirectory: () => project,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    getScriptFileNames: () => [file],
    getScriptVersion: () => "1",
    getScriptSnapshot: (name) => {
      const content = read(name);
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
    },
    fileExists: (name) => name === file || ts.sys.fileExists(name),
    readFile: read,
    directoryExists: ts.sys.directoryExists,
  });
}

function startServer(): Promise<typeof serverEnv> {
  const { DATABASE_URL: _, GATEHOUSE_CONSOLE_KEY: __, ...env } = process.env;
  server = spawn(process.execPath, [serverMain], {
    cwd: project,
    env: { ...env, PORT: "0", GATEHOUSE_DATA_DIR: "memory", LOG_LEVEL: "silent" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  return new Promise((resolve, reject) => {
    let output = "";
    const read = (chunk: Buffer) => {
      output += chunk;
      const url = /ready at (http:\S+)/.exec(output)?.[1];
      const key = /\b(console-\w+)\s/.exec(output)?.[1];
      if (url && key) resolve({ BASE_URL: url, API_KEY: key });
    };
    server.stdout?.on("data", read);
    server.stderr?.on("data", read);
    server.once("exit", (code) => reject(new Error(`The server ended with ${code}:\n${output}`)));
  });
}

/** pnpm, which alone resolves `workspace:` and `catalog:`: the one that runs the tests, or else the one of the README. */
function pnpm(commandLine: string[], cwd: string): void {
  try {
    run("pnpm", commandLine, cwd);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    run("npx", ["--yes", "pnpm@12", ...commandLine], cwd);
  }
}

/** Runs a program, whose output is shown only if it fails. */
function run(program: string, commandLine: string[], cwd: string): void {
  try {
    execFileSync(program, commandLine, { cwd, stdio: "pipe", encoding: "utf8" });
  } catch (error) {
    const { code, stdout = "", stderr = "" } = error as NodeJS.ErrnoException & { stdout?: string; stderr?: string };
    if (code !== undefined) throw error;
    throw new Error(`${program} ${commandLine.join(" ")} failed:\n${stdout}${stderr}`);
  }
}
