import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { FolderUnusable } from "../store/database/data-folder.ts";
import type { Config } from "./config.ts";
import { type Start, welcome } from "./welcome.ts";

/**
 * Writes the message after a start to standard output. Only a terminal shows secrets in it, since other outputs are often collected as
 * logs. With an embedded database, a file of the data folder has them then. Secrets in memory are lost with it, and always shown.
 * @throws FolderUnusable
 */
export function showWelcome(start: Start, { databaseUrl, dataDir }: Pick<Config, "databaseUrl" | "dataDir">): void {
  const hasSecrets = start.adminToken !== undefined || (start.newKey !== undefined && start.givenKey === "absent");
  const isInMemory = databaseUrl === undefined && dataDir === "memory";
  if (!hasSecrets || process.stdout.isTTY || isInMemory) return void process.stdout.write(welcome(start));
  if (databaseUrl !== undefined) return void process.stdout.write(welcome(start, { place: "commands" }));
  const file = join(dataDir, "welcome");
  try {
    // An earlier start may have written a key to it that is in no other place.
    appendFileSync(file, welcome(start), { mode: 0o600 });
  } catch (error) {
    throw new FolderUnusable(dataDir, error);
  }
  process.stdout.write(welcome(start, { place: "file", file }));
}
