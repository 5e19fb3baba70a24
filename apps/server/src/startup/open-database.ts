import { readPeriods, requireKnownKey } from "../store/change-log/seal-periods.ts";
import { createAuditKey } from "../store/database/audit-key.ts";
import { type Database, openEmbedded, openPostgres, withAuditKey } from "../store/database/database.ts";
import { DatabaseUnfit, explainUnfit } from "../store/database/database-unfit.ts";
import { requireUTF8 } from "../store/database/encoding.ts";
import { migrate } from "../store/database/migrate.ts";
import { isPooledStandby, isTransactionPooler } from "../store/database/pooler.ts";
import { type Retry, untilReachable } from "../store/database/reachable.ts";
import { NotAStandby, withReadReplica } from "../store/database/read-replica.ts";
import { reading } from "../store/database/unit-of-work.ts";
import type { Config } from "./config.ts";

type Options = Retry & {
  /** Called with an explanation if the database is behind a transaction pooler. */
  onPooler?: (meaning: string) => void;
  /** Called with news of the embedded database, such as a full disk. */
  onReport?: (message: string) => void;
  /** Called with a warning if the audit log is sealed and its key is missing. */
  onUnsigned?: (warning: string) => void;
};

const UNSIGNED =
  "The audit log is sealed, and GATEHOUSE_AUDIT_KEY is not set: `audit verify` will name what is written now as added outside the server.";

type DatabaseConfig = Pick<Config, "databaseUrl" | "dataDir"> &
  Partial<
    Pick<
      Config,
      "databasePooler" | "databaseDirectUrl" | "databaseReadUrl" | "databasePoolSize" | "changePollMs" | "auditKey" | "previousAuditKeys"
    >
  >;

/**
 * Opens the configured database and migrates it. Waits for a Postgres server that is still starting.
 * @throws WrongAuditKey, DatabaseUnreachable, DatabaseUnfit
 */
export async function openDatabase({ auditKey, previousAuditKeys, ...config }: DatabaseConfig, retry: Options = {}): Promise<Database> {
  const database = await open(config, retry);
  try {
    const periods = await reading(database, readPeriods);
    if (auditKey === undefined) {
      if (periods.length > 0) retry.onUnsigned?.(UNSIGNED);
      return database;
    }
    const key = createAuditKey(auditKey, previousAuditKeys);
    requireKnownKey(key, periods);
    return withAuditKey(database, key);
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function open(config: DatabaseConfig, options: Options): Promise<Database> {
  const database = await openPrimary(config, options);
  return config.databaseReadUrl === undefined ? database : openReplica(database, config.databaseReadUrl, config, options);
}

/** The database with its read replica. One that cannot be reached may come later. */
async function openReplica(
  database: Database,
  url: string,
  { databasePooler = "auto", databasePoolSize: poolSize }: DatabaseConfig,
  { onReport }: Options,
): Promise<Database> {
  const isPooled = databasePooler === "auto" ? await isPooledStandby(url).catch(() => true) : databasePooler === "transaction";
  const both = withReadReplica(database, openPostgres(url, { isPooled, poolSize }), onReport && { onReport });
  try {
    await both.replica.check();
  } catch (error) {
    if (error instanceof NotAStandby) {
      await both.close();
      throw new DatabaseUnfit("The server at DATABASE_READ_URL is not a standby of the one at DATABASE_URL.");
    }
    both.replica.noteFailure(error);
  }
  return both;
}

async function openPrimary(config: DatabaseConfig, retry: Options): Promise<Database> {
  const { databaseUrl, dataDir, databasePooler = "auto", databaseDirectUrl: directUrl, databasePoolSize: poolSize, changePollMs } = config;
  if (databaseUrl === undefined) return migrated(await openEmbedded(dataDir, retry.onReport), retry);
  const isPooled =
    databasePooler === "auto" ? await untilReachable(() => isTransactionPooler(databaseUrl), retry) : databasePooler === "transaction";
  const database = openPostgres(databaseUrl, { isPooled, directUrl, changePollMs, poolSize });
  if (isPooled) {
    const meaning =
      directUrl === undefined
        ? `No notification can arrive: changes are polled every ${database.changePollMs} ms. DATABASE_DIRECT_URL would let them arrive.`
        : "Migrations and notifications go to DATABASE_DIRECT_URL.";
    retry.onPooler?.(meaning);
  }
  return migrated(database, retry);
}

async function migrated(database: Database, retry: Options): Promise<Database> {
  try {
    await untilReachable(() => requireUTF8(database), retry);
    await untilReachable(() => migrate(database), retry);
    return database;
  } catch (error) {
    await database.close();
    throw explainUnfit(error);
  }
}
