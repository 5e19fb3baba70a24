// Cuts the versions and change logs of a release from the changesets, and writes the server's version to the files that name it:
// `pnpm cut-release`. Arguments are those of `changeset version`.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ROOT = new URL("../", import.meta.url);
/** What stands before the version, by file. */
const PLACES = {
  "deploy/helm/gatehouse/Chart.yaml": /^((?:app)?version: )\S+/gim,
  "deploy/kubernetes/kustomization.yaml": /^( +newTag: )\S+/gm,
  "docs/operate/containers.md": /( gatehouse\/server:)\d[\w.-]*/g,
  "docs/operate/install.md": /( @gatehouse\/server@)\d[\w.-]*/g,
};

execFileSync(process.execPath, [fileURLToPath(new URL("node_modules/@changesets/cli/bin.js", ROOT)), "version", ...process.argv.slice(2)], {
  cwd: fileURLToPath(ROOT),
  stdio: "inherit",
});
const { version } = JSON.parse(readFileSync(new URL("apps/server/package.json", ROOT), "utf8"));
for (const [name, place] of Object.entries(PLACES)) {
  const file = new URL(name, ROOT);
  const text = readFileSync(file, "utf8");
  if (text.search(place) === -1) throw new Error(`${name} has no version.`);
  writeFileSync(file, text.replace(place, `$1${version}`));
}
process.stdout.write(`The server's version is ${version}.\n`);
