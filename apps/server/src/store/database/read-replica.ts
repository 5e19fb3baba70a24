import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "../../common/errors.ts";
import { deadline, untilAborted } from "../../common/signals.ts";
import { Prisma } from "../../generated/prisma/client.ts";
import type { Database } from "./database.ts";
import { asUnavailable, isConnectionLoss, isSerializationFailure, isTemporaryFailure, isTimeout } from "./database-errors.ts";
import type { Db } from "./db.ts";
import { reading } from "./unit-of-work.ts";

/**
 * The outcome of a large read. `replica`: the read replica served it. The database itself served it in all other cases: the replica had not yet
 * replayed an earlier commit (`behind`), had no free connection (`busy`), or failed, now or shortly before (`failed`).
 */
type ReplicaOutcome = "replica" | "behind" | "busy" | "failed";

/** The server at the address of the read replica is not a standby of the database. */
export class NotAStandby extends Error {}

/** A standby of the database (hot standby of streaming replication), which serves large reads. */
export type ReadReplica = {
  db: Db;
  /** Undefined if another engine than the database runs analyses. */
  analyse: Database["analyse"] | undefined;
  /**
   * Asks it whether it is a standby of the database.
   * @throws NotAStandby, and errors of connections
   */
  check(): Promise<void>;
  /** Whether it has everything that was committed before the call. Waits up to 30 ms for that. */
  isCurrent(): Promise<boolean>;
  noteServed(): void;
  /** Notes that a read failed there. Reads go to the database until the replica answers again. */
  noteFailure(error: unknown): void;
  /** Reads since the start, by outcome. */
  outcomes(): Iterable<[outcome: ReplicaOutcome, reads: number]>;
};

export type ReplicaOptions = {
  /** Called when the replica stops or begins to serve reads. */
  onReport?: (message: string) => void;
  /** The server's uptime, ms. */
  uptime?: () => number;
};

/** Pauses between questions whether the replica has replayed a commit, ms. Over a local network, it takes about one. */
const PAUSES_MS = [2, 4, 8, 16];
/** A replica that takes longer to answer is left alone. */
const ANSWER_TIMEOUT_MS = 2_000;
/** After a failure, the replica is tried again after this time. */
const RETRY_MS = 5_000;

/**
 * A position in the log of the primary: every commit that was reported to a caller is before it, also if commits are reported before they are on
 * the disk. A failover begins another timeline, in which positions of the former one mean nothing.
 */
const POSITION = Prisma.sql`
  select (select system_identifier from pg_control_system())::text as "system", left(pg_walfile_name(pg_current_wal_lsn()), 8) as "timeline",
    (case when current_setting('synchronous_commit') = 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end)::text as "lsn"`;

/** The timeline that a standby replays, in the form of the primary's. It is known a little later than the standby has it. */
const REPLAYED_TIMELINE = Prisma.sql`(
  select lpad(upper(to_hex(greatest(recovery.min_recovery_end_timeline, checkpoint.timeline_id))), 8, '0')
  from pg_control_recovery() as recovery, pg_control_checkpoint() as checkpoint)`;

type Position = { system: string; timeline: string; lsn: string };

/** The same database, of which a standby serves large reads. `close` closes both. */
export function withReadReplica(database: Database, standby: Database, options: ReplicaOptions = {}): Database & { replica: ReadReplica } {
  return {
    ...database,
    replica: createReadReplica(database, standby, options),
    async close() {
      await Promise.all([database.close(), standby.close()]);
    },
  };
}

function createReadReplica(
  database: Database,
  standby: Database,
  { onReport, uptime = () => performance.now() }: ReplicaOptions,
): ReadReplica {
  const counts: Record<ReplicaOutcome, number> = { replica: 0, behind: 0, busy: 0, failed: 0 };
  let isBehind = false;
  /** When the replica may be tried again. Undefined while it serves. */
  let awayUntil: number | undefined;

  async function hasReplayed({ system, timeline, lsn }: Position): Promise<boolean> {
    const limit = deadline(ANSWER_TIMEOUT_MS);
    const asked = standby.db.$queryRaw<[{ isStandby: boolean; isCurrent: boolean }]>`
      select pg_is_in_recovery() and pg_last_wal_replay_lsn() is not null
          and (select system_identifier from pg_control_system())::text = ${system} as "isStandby",
        pg_last_wal_replay_lsn() >= ${lsn}::text::pg_lsn and ${REPLAYED_TIMELINE} = ${timeline} as "isCurrent"`;
    try {
      const [{ isStandby, isCurrent }] = await untilAborted(limit.signal, asked);
      if (!isStandby) throw new NotAStandby("it is not a standby of the database at DATABASE_URL");
      return isCurrent;
    } finally {
      limit.release();
    }
  }

  /** Waits for the commits before the call, unless the replica was behind the last time. Then it is asked once. */
  async function catchesUp(position: Position): Promise<boolean> {
    for (const pause of isBehind ? [] : PAUSES_MS) {
      if (await hasReplayed(position)) return true;
      await sleep(pause);
    }
    return hasReplayed(position);
  }

  function noteFailure(error: unknown): void {
    if (awayUntil === undefined) onReport?.(`The read replica serves no reads until it answers again: ${(error as Error).message}`);
    awayUntil = uptime() + RETRY_MS;
  }

  async function check(): Promise<void> {
    const [position] = await database.db.$queryRaw<[Position]>(POSITION);
    await hasReplayed(position);
  }

  /** Asks a replica that failed again, while reads go to the database. */
  async function tryAgain(): Promise<void> {
    awayUntil = uptime() + RETRY_MS;
    try {
      await check();
      awayUntil = undefined;
      onReport?.("The read replica serves reads again.");
    } catch {
      // It still fails, or the database does.
    }
  }

  async function find(): Promise<ReplicaOutcome> {
    if (awayUntil !== undefined) {
      if (uptime() >= awayUntil) void tryAgain();
      return "failed";
    }
    if (standby.connections().waiting > 0) return "busy";
    // If the database fails here, the read is tried there, which repeats it on another connection.
    const [position] = await database.db.$queryRaw<Position[]>(POSITION).catch(() => []);
    if (position === undefined) return "failed";
    try {
      isBehind = !(await catchesUp(position));
      return isBehind ? "behind" : "replica";
    } catch (error) {
      noteFailure(error);
      return "failed";
    }
  }

  return {
    db: standby.db,
    analyse: standby.analyse,
    check,
    async isCurrent() {
      const outcome = await find();
      if (outcome !== "replica") counts[outcome] += 1;
      return outcome === "replica";
    },
    noteServed() {
      counts.replica += 1;
    },
    noteFailure(error) {
      counts.failed += 1;
      noteFailure(error);
    },
    outcomes: () => Object.entries(counts) as [ReplicaOutcome, number][],
  };
}

/** Reads much, outside a transaction: on the read replica if that has every commit before the call, and otherwise on the database. */
export function readingOnStandby<T>(database: Database, work: (db: Db) => Promise<T>): Promise<T> {
  const there = async ({ db }: ReadReplica) => {
    try {
      return await work({ ...database.db, ...db });
    } catch (error) {
      throw isFault(error) ? error : (asUnavailable(error) ?? error);
    }
  };
  return onReplica(database, there, () => reading(database, work));
}

/** Runs an analysis where `readingOnStandby` reads. */
export function analysingOnStandby(database: Database): Database["analyse"] {
  const analyse = database.replica?.analyse;
  if (!analyse) return database.analyse;
  return (...given) =>
    onReplica(
      database,
      () => analyse(...given),
      () => database.analyse(...given),
    );
}

async function onReplica<T>(
  { replica }: Pick<Database, "replica">,
  there: (replica: ReadReplica) => Promise<T>,
  here: () => Promise<T>,
): Promise<T> {
  if (replica === undefined || !(await replica.isCurrent())) return here();
  try {
    const result = await there(replica);
    replica.noteServed();
    return result;
  } catch (error) {
    if (!isFault(error)) throw error;
    replica.noteFailure(error);
    return here();
  }
}

/** Whether the replica failed rather than the read. A standby also cancels reads that hold up its replay (SQLSTATE 40001). */
function isFault(error: unknown): boolean {
  if (error instanceof AppError || isTimeout(error)) return false;
  return isConnectionLoss(error) || isSerializationFailure(error) || isTemporaryFailure(error);
}
