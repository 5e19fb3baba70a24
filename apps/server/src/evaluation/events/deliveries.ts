import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { ClickHouse } from "../../clickhouse/clickhouse.ts";
import { AppError } from "../../errors.ts";
import type { Database } from "../../store/database.ts";
import { repeating } from "../../store/unit-of-work.ts";
import { claimParcel, deletionStatement, finishParcel, outboxSize, type Parcel, releaseParcel } from "./outbox-store.ts";

/** Sends the outbox to ClickHouse. */
export type Deliveries = {
  /** The characters that wait to be sent, as of the last look. */
  waiting(): number;
  /** @throws AppError unavailable if too much waits to be sent */
  requireRoom(): void;
  /** Resolves when the outbox is sent, or sending it fails or takes long. What is left is sent later. */
  deliver(): Promise<void>;
  /** Sends what is left, unless ClickHouse is away. */
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
/** How often the outbox is looked at: others may have left something in it. */
const LOOK_EVERY_MS = 1_000;
/** Whoever logs events waits for ClickHouse no longer than this: they are durable before. */
const MAX_WAIT_MS = 2_000;

/** Undefined if the database itself stores events. */
export function createDeliveries({ database, log, now, maxWaiting = MAX_WAITING }: DeliveryOptions): Deliveries | undefined {
  const { clickhouse } = database.db;
  if (!clickhouse) return undefined;
  let waiting = 0;
  let isAway = false;
  /** What is sending, and whether it looks again at what there is to send. */
  let running: Promise<void> | undefined;
  let isAskedAgain = false;
  const timer = setInterval(() => void pass(), LOOK_EVERY_MS).unref();

  async function sendWaiting(): Promise<void> {
    for (;;) {
      const parcel = await repeating(database, (db) => claimParcel(db, randomUUID(), now()));
      if (!parcel) return;
      await send(clickhouse as ClickHouse, parcel).catch(async (error: unknown) => {
        await repeating(database, (db) => releaseParcel(db, parcel));
        throw error;
      });
      await repeating(database, (db) => finishParcel(db, parcel));
    }
  }

  async function sendAll(): Promise<void> {
    while (isAskedAgain) {
      isAskedAgain = false;
      try {
        await sendWaiting();
        if (isAway) log.info("ClickHouse takes events again.");
        isAway = false;
      } catch (err) {
        if (!isAway) log.warn({ err }, "Events cannot be sent to ClickHouse. They wait in the database.");
        isAway = true;
      }
      waiting = await outboxSize(database.db).catch(() => waiting);
    }
    running = undefined;
  }

  /** Resolves when what is in the outbox now is sent, or that has failed. */
  function pass(): Promise<void> {
    isAskedAgain = true;
    running ??= sendAll();
    return running;
  }

  return {
    waiting: () => waiting,
    requireRoom() {
      if (waiting > maxWaiting)
        throw new AppError("unavailable", "Events arrive faster than ClickHouse can store them. Send them again shortly.");
    },
    async deliver() {
      if (isAway) return;
      const waited = new AbortController();
      await Promise.race([pass(), sleep(MAX_WAIT_MS, undefined, { signal: waited.signal, ref: false }).catch(() => {})]);
      waited.abort();
    },
    async close() {
      clearInterval(timer);
      await running;
      if (!isAway) await pass();
    },
  };
}

/** May be repeated: of each table, ClickHouse inserts the rows of a token once. */
async function send(clickhouse: ClickHouse, { id, deletion, ...rows }: Parcel): Promise<void> {
  if (deletion) return clickhouse.command(deletionStatement(deletion));
  // Exposures first: an event without its exposure counts nowhere, and an exposure without its event says that nothing happened.
  for (const [table, lines] of [
    ["experiment_exposure", rows.experimentExposures],
    ["check_exposure", rows.checkExposures],
    ["event", rows.events],
  ] as const)
    if (lines !== "") await clickhouse.insert(table, lines, id);
}
