import { AppError } from "../../common/errors.ts";
import { Prisma } from "../../generated/prisma/client.ts";
import type { Database } from "./database.ts";
import { reading, repeating } from "./unit-of-work.ts";

// A database that is restored from a backup, or fails over to a standby that lags, has lost changes that replicas and SDKs have read. Its
// numbers go back and are used again. The replica that detects this gives the project a later `restoredTime` and `rulesetTime`. Then
// replicas and SDKs read everything again.

/** The database's clock, ms since the epoch. */
export const DATABASE_TIME = Prisma.sql`floor(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/**
 * Identifies the tables on the server that has them. A restore creates other tables, databases or servers, and a promoted standby begins
 * another timeline. A copy of a server's files is in the same place, so that only replicas and SDKs can tell.
 */
const PLACE = Prisma.sql`concat_ws(' ', (select system_identifier from pg_control_system()), left(pg_walfile_name(pg_current_wal_lsn()), 8),
  (select oid from pg_database where datname = current_database()), pg_relation_filenode('project'::regclass))`;

/** Whether all tables have their rows. A restore from a dump creates triggers after it has filled the tables. */
const IS_WHOLE = Prisma.sql`exists (select from pg_trigger where tgrelid = to_regclass('change') and tgname = 'number_change')`;

/** Callers can claim a lost change once in this time. Each claim makes all SDKs download their rulesets again. */
const CLAIM_INTERVAL_MS = 10_000;
/** While a server runs, the database's row says so at least this often. */
const SEEN_INTERVAL_MS = 20_000;
/** A server that starts finds a row of this age only if no server ran, or if the database is an earlier one. */
const UNSEEN_MS = 60_000;
/** A claimed time may be this far in the future, since the clock of the lost database may have been ahead. */
const MAX_CLAIM_AHEAD_MS = 86_400_000;

/**
 * Compares the database's place with where it was the last time. If it is another one, all projects were restored. So they may be if no
 * server has seen the database for a while when this one starts.
 * @returns whether this call found that out
 */
export async function notePlace(database: Database, isStart: boolean): Promise<boolean> {
  const [row] = await reading(
    database,
    (db) => db.$queryRaw<{ known: string | null; place: string; seenTime: bigint; age: bigint }[]>`
      select "place" as known, ${PLACE} as place, "seenTime", ${DATABASE_TIME} - "seenTime" as age from database_place where ${IS_WHOLE}`,
  );
  if (!row) return false;
  const { known, place, seenTime, age } = row;
  const isRestored = known !== null && (known !== place || (isStart && age > UNSEEN_MS));
  if (!isRestored && known !== null && age < SEEN_INTERVAL_MS) return false;
  // If several replicas notice it together, only one still finds the same row.
  const restored = await repeating(
    database,
    (db) => db.$queryRaw`
      with noted as (update database_place set "place" = ${place}, "seenTime" = ${DATABASE_TIME} where "seenTime" = ${seenTime} returning 1),
      ${restoreProjects(Prisma.sql`${isRestored}::boolean and exists (select from noted)`, 0)}`,
  );
  return restored.length > 0;
}

/**
 * Checks that the database is not being restored from a dump, with tables that have no rows yet.
 * @throws AppError unavailable
 */
export async function requireWholeDatabase(database: Database): Promise<void> {
  const [row] = await reading(database, (db) => db.$queryRaw<{ isWhole: boolean }[]>`select ${IS_WHOLE} as "isWhole"`);
  if (!row?.isWhole) throw new AppError("unavailable", "The database is being restored. Try again shortly.");
}

/**
 * Notes that a project has lost changes that this replica has read.
 * @param restoredTime as the replica read it. A later one shows that another replica has noted it
 * @param time the time of the ruleset that the replica read before
 */
export async function noteLostChanges(database: Database, projectID: string, restoredTime: number, time: number): Promise<void> {
  const isUnnoted = Prisma.sql`"id" = ${projectID} and "restoredTime" = ${restoredTime}::bigint and ${IS_WHOLE}`;
  await repeating(database, (db) => db.$queryRaw`with ${restoreProjects(isUnnoted, time)}`);
}

/**
 * Notes that a caller has a later ruleset than the database, if that is possible.
 * @param time the time of the caller's ruleset, ms since the epoch
 * @returns whether the project's ruleset is later now
 */
export async function noteClaimedTime(database: Database, projectID: string, time: number): Promise<boolean> {
  const isPossible = Prisma.sql`"id" = ${projectID} and "rulesetTime" < ${time}::bigint
    and ${time}::bigint <= ${DATABASE_TIME} + ${MAX_CLAIM_AHEAD_MS}::bigint and "restoredTime" < ${DATABASE_TIME} - ${CLAIM_INTERVAL_MS}::bigint`;
  return (await repeating(database, (db) => db.$queryRaw`with ${restoreProjects(isPossible, time)}`)).length > 0;
}

/** Sets the projects' times to later ones than `time` and than each time before. Replicas are notified. */
function restoreProjects(condition: Prisma.Sql, time: number): Prisma.Sql {
  const later = Prisma.sql`greatest("rulesetTime" + 1, ${time}::bigint + 1, clock."now")`;
  return Prisma.sql`restored as (
    update project set "rulesetTime" = ${later}, "restoredTime" = ${later} from (select ${DATABASE_TIME} as "now") as clock
    where ${condition} returning "id"
  ) select pg_notify('gatehouse_change', "id") from restored`;
}
