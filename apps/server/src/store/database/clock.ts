import type { Logger } from "pino";
import type { Database } from "./database.ts";
import { DATABASE_TIME } from "./restores.ts";
import { reading } from "./unit-of-work.ts";

/** The time of a server, which follows the database's clock, so that all replicas agree. */
export type Clock = {
  /** Milliseconds since the epoch. */
  now(): number;
  /** How far the server's own clock was ahead of the database's when they were last compared, ms. Negative if it was behind. */
  aheadMs(): number;
  /** Compares the clocks. @throws AppError unavailable */
  compare(): Promise<void>;
};

/** Beyond this difference, the database's clock counts. */
const TOLERANCE_MS = 2_000;
/** The difference is that of the fastest of so many replies. */
const SAMPLES = 3;
const WARNING_INTERVAL_MS = 3_600_000;

/** @param local the server's own clock, ms since the epoch */
export function createClock(database: Database, log: Logger, local: () => number = Date.now): Clock {
  let aheadMs = 0;
  /** The database's time at a moment of the monotonic clock, which cannot be set. Undefined while the server's own clock counts. */
  let reference: { time: number; at: number } | undefined;
  let warnedAt = Number.NEGATIVE_INFINITY;
  return {
    now: () => (reference ? Math.round(reference.time + performance.now() - reference.at) : local()),
    aheadMs: () => aheadMs,
    async compare() {
      const samples = [];
      for (let count = 0; count < SAMPLES; count++) samples.push(await sample(database, local));
      const { time, at, ahead } = samples.reduce((best, next) => (next.took < best.took ? next : best));
      aheadMs = ahead;
      reference = Math.abs(ahead) > TOLERANCE_MS ? { time, at } : undefined;
      if (!reference || performance.now() - warnedAt < WARNING_INTERVAL_MS) return;
      warnedAt = performance.now();
      const difference = `${Math.round(Math.abs(ahead) / 1_000)} s ${ahead > 0 ? "ahead of" : "behind"}`;
      log.warn(
        { aheadMs: Math.round(ahead) },
        `This server's clock is ${difference} the database's, whose time is used instead. Synchronize it.`,
      );
    },
  };
}

/** The database's time at the middle of a round trip. */
async function sample(database: Database, local: () => number) {
  const [began, localTime] = [performance.now(), local()];
  const [row] = await reading(database, (db) => db.$queryRaw<{ time: bigint }[]>`select ${DATABASE_TIME} as time`);
  const took = performance.now() - began;
  const time = Number(row?.time);
  return { time, took, at: began + took / 2, ahead: localTime + took / 2 - time };
}
