import { accessSync, constants, existsSync, mkdirSync } from "node:fs";
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
