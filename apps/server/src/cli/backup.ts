import { createWriteStream, existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { Config } from "../startup/config.ts";
import { openEmbedded } from "../store/database/database.ts";
import { FolderInUse, socketPath } from "../store/database/folder-lock.ts";
import { requestFromHolder } from "../store/database/lock-requests.ts";
import { TAR_END } from "../store/database/tar.ts";

/** The backup cannot be made. */
export class BackupFailed extends Error {}

/**
 * Writes a backup of the embedded database to a file, `.tar.gz`. A server that runs on the data folder makes the backup, or else this process.
 * @throws BackupFailed
 */
export async function backUp({ databaseUrl, dataDir }: Pick<Config, "databaseUrl" | "dataDir">, file: string): Promise<void> {
  if (databaseUrl !== undefined) throw new BackupFailed("The database is a Postgres at DATABASE_URL. Back it up with pg_dump.");
  if (!existsSync(join(dataDir, "postgres", "PG_VERSION"))) throw new BackupFailed(`The data folder ${dataDir} has no database.`);
  if (existsSync(file)) throw new BackupFailed(`The file ${file} exists.`);
  const unfinished = `${file}.unfinished`;
  try {
    await pipeline(wholeTar(backup(dataDir)), createGzip(), createWriteStream(unfinished, { mode: 0o600 }));
    renameSync(unfinished, file);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw new BackupFailed(`The backup failed: ${(error as Error).message}`, { cause: error });
  }
}

async function* backup(dataDir: string): AsyncGenerator<Buffer> {
  const database = await openEmbedded(dataDir).catch((error: unknown) => {
    if (!(error instanceof FolderInUse)) throw error;
  });
  if (database === undefined) return yield* requestFromHolder(socketPath(dataDir), "backup");
  try {
    if (database.backup) yield* database.backup();
  } finally {
    await database.close();
  }
}

/** The same data. @throws if the end of a tar file is missing, because the server ended before */
async function* wholeTar(data: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let end = Buffer.alloc(0);
  for await (const chunk of data) {
    end = Buffer.concat([end, chunk]).subarray(-TAR_END.length);
    yield chunk;
  }
  if (!end.equals(TAR_END)) throw new Error("the server ended before the backup was complete.");
}
