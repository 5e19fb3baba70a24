// Writes a CycloneDX SBOM for each published package: `node scripts/sboms.mjs FOLDER`. Each is named like its package: gatehouse-cli-0.2.0.cdx.json.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** The published packages, and their CycloneDX types. */
const TYPES = {
  "apps/server": "application",
  "packages/cli": "application",
  "packages/client": "library",
  "packages/contract": "library",
  "packages/statistics": "library",
};

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write("Usage: node scripts/sboms.mjs FOLDER\n");
  process.exit(2);
}
mkdirSync(folder, { recursive: true });
for (const [directory, type] of Object.entries(TYPES)) {
  const { name, version } = JSON.parse(readFileSync(join(ROOT, directory, "package.json"), "utf8"));
  const out = resolve(folder, `${name.replace("@", "").replace("/", "-")}-${version}.cdx.json`);
  const options = ["--prod", "--lockfile-only", "--sbom-format", "cyclonedx", "--sbom-type", type, "--out", out];
  execFileSync("npx", ["--yes", "pnpm@12", "sbom", "--filter", name, ...options], { cwd: ROOT, stdio: ["ignore", "ignore", "inherit"] });
}
