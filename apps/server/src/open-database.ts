import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "./config.ts";
import { createAuditKey } from "./store/audit-key.ts";
import { type Database, openEmbedded, openPostgres, withAuditKey } from "./store/database.ts";
import { isConnectionLoss, isRefusal } from "./store/database-errors.ts";
import { requireUTF8 } from "./store/encoding.ts";
import { migrate } from "./store/migrate.ts";
import { isTransactionPooler } from "./store/pooler.ts";
import { readSealedSince, requireSameKey } from "./store/sealing.ts";
import { reading } from "./store/unit-of-work.ts";

/** Postgres or ClickHouse did not answer in time, or rejected the credentials. */
export class DatabaseUnreachable extends Error {}

export type Retry = {
  /** How long to keep trying, ms. */
  timeoutMs?: number;
  /** Called once, when the first attempt fails. */
  onWait?: (reason: string) => void;
  /** Called with an explanation if the database is behind a transaction pooler. */
  onPooler?: (meaning: string) => void;
  /** Called with a warning if the trail is sealed and there is no key for it. */
  onUnsigned?: (warning: string) => void;
};

const UNSIGNED =
  "The trail is sealed, and GATEHOUSE_AUDIT_KEY is not set: `audit verify` will name what is written now as added outside the server.";

type DatabaseConfig = Pick<Config, "databaseUrl" | "dataDir"> &
  Partial<Pick<Config, "databasePooler" | "databaseDirectUrl" | "changePollMs" | "auditKey">>;

/**
 * Opens the configured database and migrates it. Waits for a Postgres server that is still starting.
 * @throws WrongAuditKey, DatabaseUnreachable
 */
export async function openDatabase({ auditKey, ...config }: DatabaseConfig, retry: Retry = {}): Promise<Database> {
  const database = await open(config, retry);
  try {
    const since = await reading(database, readSealedSince);
    if (auditKey === undefined) {
      if (since) retry.onUnsigned?.(UNSIGNED);
      return database;
    }
    const key = createAuditKey(auditKey);
    requireSameKey(key, since);
    return withAuditKey(database, key);
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function open(config: DatabaseConfig, retry: Retry): Promise<Database> {
  const { databaseUrl, dataDir, databasePooler = "auto", databaseDirectUrl: directUrl, changePollMs } = config;
  if (databaseUrl === undefined) return migrated(await openEmbedded(dataDir), retry);
  const isPooled =
    databasePooler === "auto" ? await untilReachable(() => isTransactionPooler(databaseUrl), retry) : databasePooler === "transaction";
  const database = openPostgres(databaseUrl, { isPooled, directUrl, changePollMs });
  if (isPooled) {
    const meaning =
      directUrl === undefined
        ? `No notification can arrive: changes are looked for every ${database.changePollMs} ms. DATABASE_DIRECT_URL would let them arrive.`
        : "Migrations and notifications go to DATABASE_DIRECT_URL.";
    retry.onPooler?.(meaning);
  }
  return migrated(database, retry);
}

async function migrated(database: Database, retry: Retry): Promise<Database> {
  try {
    await untilReachable(() => requireUTF8(database), retry);
    await untilReachable(() => migrate(database), retry);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Retries with exponential back-off: 0.25 s, 0.5 s … 4 s. */
export async function untilReachable<T>(
  attempt: () => Promise<T>,
  { timeoutMs = 30_000, onWait }: Pick<Retry, "timeoutMs" | "onWait">,
  name = "The database",
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (let delayMs = 250, count = 1; ; delayMs = Math.min(delayMs * 2, 4_000), count++) {
    try {
      return await attempt();
    } catch (error) {
      if (isRefusal(error)) throw new DatabaseUnreachable(`${name} refuses the connection: ${error.message}.`);
      if (!isConnectionLoss(error)) throw error;
      const reason = reasonOf(error);
      if (count === 1) onWait?.(reason);
      if (Date.now() + delayMs > deadline) throw new DatabaseUnreachable(`${name} cannot be reached: ${reason}.`);
      await sleep(delayMs);
    }
  }
}

/** `connect ECONNREFUSED 127.0.0.1:5432`; the first error if several addresses were tried. */
function reasonOf(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  return (first as Error).message.trim() || String((first as NodeJS.ErrnoException).code);
}
