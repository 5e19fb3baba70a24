import { accessSync, constants, existsSync, mkdirSync, statfsSync } from "node:fs";
import { join } from "node:path";

/** The data folder cannot be created, or its files cannot be read or written. */
export class FolderUnusable extends Error {
  constructor(folder: string, cause: unknown) {
    super(
      `The data folder ${folder} cannot be used: ${(cause as Error).message}. Let the user that runs Gatehouse read and write it and everything in it, or set GATEHOUSE_DATA_DIR to another folder.`,
      { cause },
    );
  }
}

/** The embedded database cannot be opened because the disk of the data folder is full. */
export class DiskFull extends Error {
  constructor(folder: string, cause: unknown) {
    super(`The data folder ${folder} cannot be opened: its disk is full. Free at least 64 MiB and start again.`, { cause });
  }
}

/** Postgres needs this much free space to open a database that was not closed: for a separate file, and a segment of its log. */
const NEEDED_TO_OPEN_BYTES = 2 ** 25;

/** The reason why the embedded database in the folder cannot be opened, for the operator. */
export function explainUnopened(dataDir: string, error: unknown): Error {
  const { bavail, blocks, bsize } = statfsSync(dataDir);
  if (blocks > 0 && bavail * bsize < NEEDED_TO_OPEN_BYTES) return new DiskFull(dataDir, error);
  // PGlite's errors of files have no message.
  const hasMessage = error instanceof Error && error.message !== "";
  return new FolderUnusable(dataDir, hasMessage ? error : new Error("a file in it cannot be opened"));
}

/** Creates the folder of the embedded database if it does not exist. @returns its path. @throws FolderUnusable */
export function prepareFolder(dataDir: string): string {
  const folder = join(dataDir, "postgres");
  try {
    mkdirSync(folder, { recursive: true });
    const version = join(folder, "PG_VERSION");
    for (const path of [dataDir, folder, ...(existsSync(version) ? [version] : [])]) accessSync(path, constants.R_OK | constants.W_OK);
    return folder;
  } catch (error) {
    throw new FolderUnusable(dataDir, error);
  }
}
