// Sets the address of the repository in the published packages: `node scripts/repository.mjs https://github.com/OWNER/NAME`.
// A release does this before it packs them: the registry compares the address with the repository that a package's provenance names.
import { readFileSync, writeFileSync } from "node:fs";

const FOLDERS = ["apps/server", "packages/cli", "packages/client", "packages/contract", "packages/statistics"];

const [address = ""] = process.argv.slice(2);
if (!/^https:\/\/[^/\s]+\/[^/\s]+\/[^/\s]+$/.test(address)) {
  process.stderr.write("Usage: node scripts/repository.mjs https://HOST/OWNER/NAME\n");
  process.exit(2);
}
for (const directory of FOLDERS) {
  const file = new URL(`../${directory}/package.json`, import.meta.url);
  const manifest = {
    ...JSON.parse(readFileSync(file, "utf8")),
    repository: { type: "git", url: `git+${address}.git`, directory },
    homepage: `${address}#readme`,
    bugs: `${address}/issues`,
  };
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
}
