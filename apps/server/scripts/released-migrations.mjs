// Released migrations never change. `prisma/released.json` has the SHA-256 of each. `pnpm check` compares them; `--add` adds those of a release.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The SHA-256 of each migration in a folder, by name. */
export function hashMigrations(folder) {
  const names = readdirSync(folder).filter((name) => existsSync(join(folder, name, "migration.sql")));
  return Object.fromEntries(names.sort().map((name) => [name, sha256(readFileSync(join(folder, name, "migration.sql")))]));
}

/** A message for each released migration that is missing or was changed, and each new one that comes before a released one. */
export function compareWithReleased(released, hashes) {
  const last = Object.keys(released).sort().at(-1) ?? "";
  const changed = Object.entries(released).flatMap(([name, hash]) => {
    if (hashes[name] === undefined) return [`The released migration ${name} is missing.`];
    return hashes[name] === hash ? [] : [`The released migration ${name} was changed. Restore it, and add another one.`];
  });
  const early = Object.keys(hashes).filter((name) => !(name in released) && name < last);
  return [...changed, ...early.map((name) => `The migration ${name} comes before ${last}, which is released. Give it a later name.`)];
}

const sha256 = (text) => createHash("sha256").update(text).digest("hex");

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = fileURLToPath(new URL("../prisma/released.json", import.meta.url));
  const released = JSON.parse(readFileSync(file, "utf8"));
  const hashes = hashMigrations(fileURLToPath(new URL("../prisma/migrations/", import.meta.url)));
  const errors = compareWithReleased(released, hashes);
  for (const error of errors) process.stderr.write(`${error}\n`);
  if (errors.length > 0) process.exitCode = 1;
  else if (process.argv.includes("--add")) writeFileSync(file, `${JSON.stringify(hashes, null, 2)}\n`);
}
