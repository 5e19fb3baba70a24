import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startServer } from "./servers.ts";

// The command as users get it: packed with the packages that it needs, and installed into an empty folder.

const packages = fileURLToPath(new URL("../../", import.meta.url));
const project = mkdtempSync(join(tmpdir(), "gatehouse-cli-package-"));
let server: Awaited<ReturnType<typeof startServer>>;

beforeAll(async () => {
  const names = ["contract", "client", "cli"];
  for (const name of names) run("npx", ["--yes", "pnpm@12", "pack", "--out", join(project, `${name}.tgz`)], join(packages, name));
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "consumer", private: true }));
  run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", ...names.map((name) => `./${name}.tgz`)], project);
  server = await startServer();
});
afterAll(() => {
  server?.stop();
  rmSync(project, { recursive: true, force: true });
});

function run(program: string, args: string[], cwd: string, env: Record<string, string | undefined> = process.env): string {
  return execFileSync(program, args, { cwd, env, stdio: "pipe", encoding: "utf8" });
}

const gatehouse = (...args: string[]) => {
  const env = { PATH: process.env.PATH, HOME: project, GATEHOUSE_URL: server.url, GATEHOUSE_KEY: server.key };
  return run(join(project, "node_modules/.bin/gatehouse"), args, project, env);
};

test("the installed command has its version and license, and changes a live server", () => {
  const { version } = JSON.parse(readFileSync(join(packages, "cli/package.json"), "utf8"));
  expect(gatehouse("--version")).toBe(`${version}\n`);
  expect(readdirSync(join(project, "node_modules/@gatehouse/cli")).sort()).toEqual(["LICENSE", "README.md", "dist", "package.json"]);
  gatehouse("call", "createGate", "--body", "{ name: Packed }");
  expect(gatehouse("gates", "list")).toBe("ID      STATUS       TYPE       TAGS\npacked  In Progress  TEMPORARY\n");
});
