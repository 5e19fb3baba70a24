import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const read = (name: string) => readFileSync(`${ROOT}${name}`, "utf8");

type Component = { group?: string; name: string; version: string };
type Manifest = { name: string; version: string; dependencies?: Record<string, string> };

/** The published packages, which the workflow of a release packs. */
const PUBLISHED = ["apps/server", "packages/cli", "packages/client", "packages/contract", "packages/statistics"];
const nameOf = ({ group, name }: Component) => `${group ? `${group}/` : ""}${name}`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-sboms-"));
  execFileSync(process.execPath, ["scripts/sboms.mjs", folder], { cwd: ROOT });
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The package that an SBOM is of, and those that it lists. */
function readSBOM({ name, version }: Manifest) {
  const file = `${name.replace("@", "").replace("/", "-")}-${version}.cdx.json`;
  const { bomFormat, metadata, components } = JSON.parse(readFileSync(join(folder, file), "utf8"));
  return { bomFormat, subject: metadata.component as Component, components: components as Component[] };
}

test("the SBOM of the server lists every package whose code is published, with its version", () => {
  const { components } = readSBOM(JSON.parse(read("apps/server/package.json")));
  const listed = components.map((one) => `${nameOf(one)} ${one.version}`);
  const licenses = read("apps/server/build/package/THIRD_PARTY_LICENSES.txt");
  const published = [...licenses.matchAll(/^(?:## )?((?:@[\w.-]+\/)?[\w.-]+)(?: -)? (\d[\w.+-]*) \(/gm)].map(
    ([, name, version]) => `${name} ${version}`,
  );
  expect(published.length).toBeGreaterThan(300);
  expect(published.filter((one) => !listed.includes(one))).toEqual([]);
});

test("a release has one SBOM for each package that it publishes, with the package's dependencies", () => {
  const packed = [...read(".github/workflows/release.yml").matchAll(/for name in ([\w ]+); do/g)].flatMap(([, names = ""]) =>
    names.split(" "),
  );
  expect(packed.map((name) => `packages/${name}`)).toEqual(PUBLISHED.slice(1));
  expect(readdirSync(folder)).toHaveLength(PUBLISHED.length);
  for (const manifest of PUBLISHED.map((one): Manifest => JSON.parse(read(`${one}/package.json`)))) {
    const { bomFormat, subject, components } = readSBOM(manifest);
    expect([bomFormat, nameOf(subject), subject.version]).toEqual(["CycloneDX", manifest.name, manifest.version]);
    expect(components.map(nameOf)).toEqual(expect.arrayContaining(Object.keys(manifest.dependencies ?? {})));
  }
});
