import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { readTar } from "./tar.ts";

/**
 * A database without tables, which the build makes. PGlite can make one too, but needs a second engine for that, and so twice the memory.
 * Absent if the server runs from its sources.
 */
const NEW_DATABASE = new URL("./new-database.tar.gz", import.meta.url);

/** The file with a new database, for PGlite to load into memory. Undefined means that PGlite makes one. */
export function readNewDatabase(): Buffer | undefined {
  return existsSync(NEW_DATABASE) ? readFileSync(NEW_DATABASE) : undefined;
}

/** Fills the folder with a new database unless it has one. An interrupted call leaves nothing in it. */
export function createDatabaseFiles(folder: string): void {
  const archive = existsSync(join(folder, "PG_VERSION")) ? undefined : readNewDatabase();
  if (archive === undefined) return;
  const unfinished = `${folder}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  for (const { name, type, data } of readTar(gunzipSync(archive))) {
    const path = join(unfinished, name);
    mkdirSync(type === "folder" ? path : dirname(path), { recursive: true, mode: 0o700 });
    if (type === "file") writeFileSync(path, data, { mode: 0o600 });
  }
  rmSync(folder, { recursive: true });
  renameSync(unfinished, folder);
}
