import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { AppError } from "../../common/errors.ts";
import { claimParcel, deletionStatement, finishParcel, type Parcel, readOutbox, releaseParcel } from "../../console/events/outbox-store.ts";
import type { Database } from "../../store/database/database.ts";
import type { ClickHouse } from "../../store/database/engines.ts";
import { repeating } from "../../store/database/unit-of-work.ts";

/** Sends the outbox to ClickHouse. */
export type Deliveries = {
  /** The characters that wait to be sent, as of the last check. */
  waiting(): number;
  /** For how long the first of them has been seen to wait, ms. */
  waitingForMs(): number;
  /** @throws AppError unavailable if too much waits to be sent */
  requireRoom(): void;
  /** Resolves when the outbox is sent, or sending it fails or takes long. The rest is sent later. */
  deliver(): Promise<void>;
  /** Ends. Sends the rest, unless ClickHouse is away or that takes long. */
  close(): Promise<void>;
};

export type DeliveryOptions = {
  database: Database;
  log: Logger;
  now: () => number;
  /** The most characters that wait to be sent, of all replicas together. Beyond it, batches are rejected. */
  maxWaiting?: number;
};

const MAX_WAITING = 256 * 2 ** 20;
/** How often the outbox is checked: others may have left something in it. */
const CHECK_INTERVAL_MS = 1_000;
/** Callers that log events or stop the server wait for ClickHouse for at most this time: the events are durable before. */
const MAX_WAIT_MS = 2_000;

/** Undefined if the database itself stores events. */
export function createDeliveries({ database, log, now, maxWaiting = MAX_WAITING }: DeliveryOptions): Deliveries | undefined {
  const { clickhouse } = database.db;
  if (!clickhouse) return undefined;
  let waiting = 0;
  /** The first item of the outbox, and since when it was seen there, by the monotonic clock, ms. */
  let first: { id: string; since: number } | undefined;
  let isAway = false;
  /** The pass that is running, and the one that follows it if something may have come since it began. */
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const timer = setInterval(() => void pass(), CHECK_INTERVAL_MS).unref();

  /** Resolves when the outbox's present content is sent, or that has failed. */
  function pass(): Promise<void> {
    next ??= (running ?? Promise.resolve()).then(() => {
      next = undefined;
      running = sendAll();
      return running;
    });
    return next;
  }

  async function sendAll(): Promise<void> {
    try {
      while (await sendNext());
      if (isAway) log.info("ClickHouse takes events again.");
      isAway = false;
    } catch (err) {
      if (!isAway) log.warn({ err }, "Events cannot be sent to ClickHouse. They wait in the database.");
      isAway = true;
    }
    const outbox = await readOutbox(database.db).catch(() => undefined);
    if (outbox === undefined) return;
    waiting = outbox.size;
    const { firstID } = outbox;
    if (firstID === null) first = undefined;
    else if (first?.id !== firstID) first = { id: firstID, since: performance.now() };
  }

  /** Sends one parcel. @returns whether there may be others */
  async function sendNext(): Promise<boolean> {
    const parcel = await repeating(database, (db) => claimParcel(db, randomUUID(), now()));
    if (!parcel) return false;
    await send(clickhouse as ClickHouse, parcel).catch(async (error: unknown) => {
      await repeating(database, (db) => releaseParcel(db, parcel));
      throw error;
    });
    await repeating(database, (db) => finishParcel(db, parcel));
    return !parcel.isLast;
  }

  return {
    waiting: () => waiting,
    waitingForMs: () => (first === undefined ? 0 : performance.now() - first.since),
    requireRoom() {
      if (waiting > maxWaiting)
        throw new AppError("unavailable", "Events arrive faster than ClickHouse can store them. Send them again shortly.");
    },
    async deliver() {
      if (!isAway) await atMost(MAX_WAIT_MS, pass());
    },
    async close() {
      clearInterval(timer);
      if (!isAway) await atMost(MAX_WAIT_MS, pass());
    },
  };
}

/** Resolves with the work, or when the time is over. */
async function atMost(timeMs: number, work: Promise<void>): Promise<void> {
  const waited = new AbortController();
  await Promise.race([work, sleep(timeMs, undefined, { signal: waited.signal, ref: false }).catch(() => {})]);
  waited.abort();
}

/** May be repeated: of each table, ClickHouse inserts the rows of a token once. */
async function send(clickhouse: ClickHouse, { id, deletion, ...rows }: Parcel): Promise<void> {
  if (deletion) return clickhouse.command(deletionStatement(deletion, clickhouse.cluster));
  // Exposures first: an event without its exposure does not count, and an exposure without its event looks like an inactive unit.
  for (const [table, lines] of [
    ["experiment_exposure", rows.experimentExposures],
    ["check_exposure", rows.checkExposures],
    ["event", rows.events],
  ] as const)
    if (lines !== "") await clickhouse.insert(table, lines, id);
}
