import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
/** The files that a release reads or writes. */
const FILES = ["*package.json", "pnpm-workspace.yaml", ".changeset", "scripts/cut-release.mjs", "deploy", "docs/operate"];

let copy: string;
const read = (name: string) => readFileSync(join(copy, name), "utf8");
const versionOf = (folder: string): string => JSON.parse(read(`${folder}/package.json`)).version;

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), "gatehouse-release-"));
  const listed = execFileSync("git", ["ls-files", "-z", "--", ...FILES], { cwd: ROOT, encoding: "utf8" });
  for (const name of listed.split("\0").filter((one) => one !== "")) cpSync(join(ROOT, name), join(copy, name));
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
});
afterAll(() => rmSync(copy, { recursive: true }));

test("cut-release cuts versions and change logs from the changesets, and writes the server's version to every file that names it", () => {
  const [server, client] = [versionOf("apps/server"), versionOf("packages/client")];
  writeFileSync(join(copy, ".changeset/mixed.md"), '---\n"@gatehouse/server": minor\n"@gatehouse/client": minor\n---\n\nGates can sing.\n');
  execFileSync(process.execPath, ["scripts/cut-release.mjs"], { cwd: copy, stdio: "pipe" });
  const version = versionOf("apps/server");
  for (const [before, after] of [
    [server, version],
    [client, versionOf("packages/client")],
  ]) {
    expect(after).toMatch(/^\d+\.\d+\.0$/);
    expect(after).not.toBe(before);
  }
  for (const folder of ["apps/server", "packages/client"]) expect(read(`${folder}/CHANGELOG.md`)).toContain("Gates can sing.");
  expect(read("deploy/helm/gatehouse/Chart.yaml")).toContain(`\nversion: ${version}\nappVersion: ${version}\n`);
  expect(read("deploy/kubernetes/kustomization.yaml")).toContain(`newTag: ${version}\n`);
  expect(read("docs/operate/containers.md")).toContain(` gatehouse/server:${version}\n`);
  expect(read("docs/operate/install.md")).toContain(` @gatehouse/server@${version}\n`);
});
