import { statfsSync } from "node:fs";
import { open, readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import type { EmbeddedConnection } from "./embedded-connection.ts";
import { TAR_END, tarHeader, tarPadding } from "./tar.ts";

/** The folder's name in a backup, as in the data folder. */
const ROOT = "postgres";
/** Folders whose files Postgres makes at each start (its documentation of base backups), and that of the write-ahead log, which comes last. */
const EMPTY_FOLDERS = /^(pg_wal|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)$/;
const OMITTED_FILES = /^(postmaster\.(pid|opts)|backup_label|tablespace_map|lock)$/;
const CONTROL_FILE = "global/pg_control";
/** Free space that a backup needs: it begins two segments of the write-ahead log, beyond the space that is reserved for the database. */
const NEEDED_BYTES = 2 ** 26;
const CHUNK_BYTES = 2 ** 20;

/**
 * A backup of the embedded database as a tar file, made while others use it: Postgres's online base backup. It has everything that was
 * committed before, and the write-ahead log that makes its files consistent when it is first opened.
 */
export async function* readBackup(connection: EmbeddedConnection, folder: string): AsyncGenerator<Buffer> {
  const { bavail, blocks, bsize } = statfsSync(folder);
  if (blocks > 0 && bavail * bsize < NEEDED_BYTES) throw new Error("The disk of the data folder has less than 64 MiB of free space.");
  await connection.keepLog?.(true);
  try {
    const { first } = await queryRow<{ first: string }>(connection, "select pg_walfile_name(pg_backup_start('gatehouse', true)) as first");
    let end: { label: string; last: string };
    try {
      yield* readFiles(folder);
    } finally {
      end = await queryRow<typeof end>(connection, "select labelfile as label, pg_walfile_name(lsn) as last from pg_backup_stop(false)");
    }
    const label = Buffer.from(end.label);
    yield* [tarHeader(`${ROOT}/backup_label`, "file", label.length), label, tarPadding(label.length)];
    const segments = (await readdir(join(folder, "pg_wal"))).filter((name) => /^[0-9A-F]{24}$/.test(name));
    for (const name of segments.sort()) if (name >= first && name <= end.last) yield* readFile(folder, `pg_wal/${name}`);
    yield TAR_END;
  } finally {
    await connection.keepLog?.(false);
  }
}

async function* readFiles(folder: string): AsyncGenerator<Buffer> {
  yield tarHeader(ROOT, "folder", 0);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const name = relative(folder, join(entry.parentPath, entry.name)).replaceAll("\\", "/");
    if (entry.isDirectory()) yield tarHeader(`${ROOT}/${name}`, "folder", 0);
    const [top = ""] = name.split("/");
    if (entry.isFile() && !EMPTY_FOLDERS.test(top) && !OMITTED_FILES.test(name) && name !== CONTROL_FILE) yield* readFile(folder, name);
  }
  yield* readFile(folder, CONTROL_FILE);
}

/** Reads a file that may change during the read: the write-ahead log repairs its copy. Yields no data for a deleted file. */
async function* readFile(folder: string, name: string): AsyncGenerator<Buffer> {
  const file = await open(join(folder, name)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
  if (file === undefined) return;
  try {
    const { size, mtime } = await file.stat();
    yield tarHeader(`${ROOT}/${name}`, "file", size, mtime);
    for (let at = 0; at < size; ) {
      const length = Math.min(CHUNK_BYTES, size - at);
      // Zeros replace bytes that were cut off since.
      const chunk = Buffer.alloc(length);
      await file.read(chunk, 0, length, at);
      yield chunk;
      at += length;
    }
    yield tarPadding(size);
  } finally {
    await file.close();
  }
}

async function queryRow<Row>(connection: EmbeddedConnection, sql: string): Promise<Row> {
  const [row] = (await connection.query<Row>(sql)).rows;
  return row as Row;
}
