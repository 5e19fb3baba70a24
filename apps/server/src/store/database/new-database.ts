import { appendFileSync, createReadStream, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { createGunzip } from "node:zlib";
import { readTar } from "./tar.ts";

/**
 * A database with this server's tables, which the build makes, since migrations take longer than the rest of a start. PGlite can make an
 * empty one too, but needs a second engine for that, and so twice the memory. Absent if the server runs from its sources.
 */
const NEW_DATABASE = new URL("./new-database.tar.gz", import.meta.url);

/** The file with a new database, for PGlite to load into memory. Undefined means that PGlite makes one. */
export function readNewDatabase(): Buffer | undefined {
  return existsSync(NEW_DATABASE) ? readFileSync(NEW_DATABASE) : undefined;
}

/**
 * Fills the folder with a new database unless it has one. An interrupted call leaves it empty. The archive is read as a stream, since it is
 * ten times as large when it is unpacked.
 */
export async function createDatabaseFiles(folder: string): Promise<void> {
  if (existsSync(join(folder, "PG_VERSION")) || !existsSync(NEW_DATABASE)) return;
  const unfinished = `${folder}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  for await (const { name, type, data } of readTar(createReadStream(NEW_DATABASE).pipe(createGunzip()))) {
    const path = join(unfinished, name);
    mkdirSync(type === "folder" ? path : dirname(path), { recursive: true, mode: 0o700 });
    if (type === "file") appendFileSync(path, data, { mode: 0o600 });
  }
  rmSync(folder, { recursive: true });
  renameSync(unfinished, folder);
}
