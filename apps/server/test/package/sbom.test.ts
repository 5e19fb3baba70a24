import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const read = (name: string) => readFileSync(`${ROOT}${name}`, "utf8");

type Component = { group?: string; name: string; version: string };

test("the SBOM of a release lists every package whose code is published, with its version", () => {
  const [command = ""] = /npx --yes pnpm@12 sbom [^\\]*/.exec(read(".github/workflows/release.yml")) ?? [];
  const [npx = "", ...args] = command.trim().split(" ");
  const { components } = JSON.parse(execFileSync(npx, args, { cwd: ROOT, encoding: "utf8", maxBuffer: 2 ** 28 }));
  const listed = (components as Component[]).map(({ group, name, version }) => `${group ? `${group}/` : ""}${name} ${version}`);
  const licenses = read("apps/server/build/package/THIRD_PARTY_LICENSES.txt");
  const published = [...licenses.matchAll(/^(?:## )?((?:@[\w.-]+\/)?[\w.-]+)(?: -)? (\d[\w.+-]*) \(/gm)].map(
    ([, name, version]) => `${name} ${version}`,
  );
  expect(published.length).toBeGreaterThan(300);
  expect(published.filter((one) => !listed.includes(one))).toEqual([]);
});
