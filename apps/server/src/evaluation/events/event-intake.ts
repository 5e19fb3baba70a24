import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import { AppError } from "../../common/errors.ts";
import { HOUR_MS, utcDay } from "../../common/utc-day.ts";
import type { Database } from "../../store/database/database.ts";
import { lacksPartition, refusesEvents } from "../../store/database/database-errors.ts";
import { repeating } from "../../store/database/unit-of-work.ts";
import { deviceFields } from "../device-fields.ts";
import { createDeliveries, type DeliveryOptions } from "./deliveries.ts";
import { toWaiting, type WaitingBatch } from "./event-batch.ts";
import { storeBatches } from "./event-intake-store.ts";
import type { EventOrigin } from "./event-origin.ts";
import { createPartitions } from "./event-partitions.ts";
import type { Exposure } from "./exposure.ts";
import { createExposureBuffer, storedExposures } from "./exposure-buffer.ts";
import { createGroupCommit } from "./group-commit.ts";
import { type EventContext, type EventRow, readEvent } from "./logged-event.ts";

/** A batch as it was sent. Its envelope is valid by the contract; its events are validated one by one. */
export type EventBatch = {
  events: unknown[];
  statsigMetadata?: { sdkType?: string | null; [field: string]: unknown } | null;
  deliveryID?: string | null;
};

/** A batch of a relay. Its key identifies repetitions. */
type RelayedBatch = Omit<EventBatch, "deliveryID"> & { key: string; receivedTime: number };

/** How long the repetition of a relay's batch is recognized. */
const RELAYED_FOR_MS = 24 * HOUR_MS;

/** An event that was not stored. */
type RefusedEvent = { index: number; reason: string };
type Refused = {
  refused: RefusedEvent[];
  /** How many of them are recordings of sessions, which are never stored. */
  recordings: number;
};

/** A recording of a user's screen and input, as session replay sends it. */
const RECORDING = "statsig::session_recording";
/** Refused events of a project are logged once in this time. */
const REFUSAL_LOG_MS = 60_000;

/** Accepts all events of a server. */
export type EventIntake = {
  /**
   * Stores a batch, and resolves when it is durable, with the refused events. Skips a batch that was stored within the last ten minutes.
   * @throws AppError unavailable if the database does not keep up. Retrying is safe.
   */
  log(projectID: string, batch: EventBatch, origin: EventOrigin): Promise<Refused>;
  /**
   * Stores a batch that a relay accepted. Events without a time have that of `receivedTime`, ms since the epoch.
   * @throws AppError unavailable, as `log` does
   */
  logRelayed(projectID: string, batch: RelayedBatch, origin: EventOrigin): Promise<void>;
  /**
   * Queues an exposure. The same exposure of the same unit is stored once a minute. Never waits: if the queue is full, the exposure is
   * dropped and counted.
   */
  expose(projectID: string, exposure: Exposure): void;
  /**
   * The queued characters, those that wait in the database to be sent to ClickHouse and for how long, and the exposures dropped and events
   * refused so far.
   */
  load(): { waiting: number; undelivered: number; undeliveredForMs: number; droppedExposures: number; refusedEvents: number };
  /** Stores queued batches. Do not call other methods afterwards. */
  close(): Promise<void>;
};

export type IntakeOptions = {
  database: Database;
  /** The clock, ms since the epoch. */
  now: () => number;
  /** Whether fields of users are kept beside their ids. Default: true. */
  keepsUserFields?: boolean;
  log: Logger;
  /** Called when a batch is stored, with its number of events and the time since it arrived, ms. */
  onStored?: (events: number, delayMs: number) => void;
} & Pick<DeliveryOptions, "maxWaiting">;

export function createEventIntake({
  database,
  now,
  log,
  keepsUserFields = true,
  onStored = () => {},
  ...rest
}: IntakeOptions): EventIntake {
  const deliveries = createDeliveries({ database, now, log, ...rest });
  const partitions = createPartitions(database);
  const commit = createGroupCommit(write);
  const exposures = createExposureBuffer(store, { now, ...storedExposures(keepsUserFields) });

  async function write(batches: WaitingBatch[]): Promise<void> {
    const time = now();
    deliveries?.requireRoom();
    const attempt = async () => {
      if (!deliveries) await partitions.require(utcDay(time));
      await repeating(database, (db) => storeBatches(db, batches, time));
    };
    await attempt().catch((error: unknown) => {
      if (refusesEvents(error)) throw moved(error);
      if (!lacksPartition(error)) throw error;
      partitions.forget();
      return attempt();
    });
  }

  /** Other batches are written while ClickHouse takes this batch's rows from the outbox. */
  async function store(batch: WaitingBatch): Promise<void> {
    await commit.store(batch);
    await deliveries?.deliver();
  }

  let refusedEvents = 0;
  const refusalsLogged = new Map<string, number>();
  /** SDKs do not read which events were refused, so an operator has to see that some are. */
  function noteRefused(projectID: string, refused: RefusedEvent[]): void {
    refusedEvents += refused.length;
    const time = now();
    if (refused.length === 0 || time < (refusalsLogged.get(projectID) ?? 0) + REFUSAL_LOG_MS) return;
    refusalsLogged.set(projectID, time);
    log.warn({ projectID, events: refused.length, reason: refused[0]?.reason }, "Events were refused.");
  }

  async function keep(batch: WaitingBatch): Promise<void> {
    if (batch.count === 0) return;
    const arrivedAt = performance.now();
    await commit.store(batch);
    onStored(batch.count, performance.now() - arrivedAt);
    await deliveries?.deliver();
  }

  return {
    async log(projectID, batch, origin) {
      const { rows, refused, recordings } = readBatch(batch, { ...origin, now: now(), keepsUserFields });
      noteRefused(projectID, refused);
      await keep(toWaiting(projectID, readSource(batch), rows, identifyBatch(batch)));
      return { refused, recordings };
    },
    async logRelayed(projectID, { key, receivedTime, ...batch }, origin) {
      const { rows, refused } = readBatch(batch, { ...origin, now: Math.min(receivedTime, now()), keepsUserFields });
      noteRefused(projectID, refused);
      await keep({ ...toWaiting(projectID, readSource(batch), rows, ""), key, keptForMs: RELAYED_FOR_MS });
    },
    expose: exposures.expose,
    load: () => ({
      waiting: commit.size(),
      undelivered: deliveries?.waiting() ?? 0,
      undeliveredForMs: deliveries?.waitingForMs() ?? 0,
      droppedExposures: exposures.dropped(),
      refusedEvents,
    }),
    async close() {
      await exposures.close();
      await commit.idle();
      await deliveries?.close();
    },
  };
}

function readSource({ statsigMetadata }: Pick<EventBatch, "statsigMetadata">): string {
  return statsigMetadata?.sdkType || "http_api";
}

/**
 * Identifies repetitions of a batch, which have its delivery id or, if every event can be told from others that are like it, its content. Equal
 * batches without either are different events.
 */
export function identifyBatch({ deliveryID, ...batch }: EventBatch): string {
  if (deliveryID) return `delivery ${deliveryID}`;
  return batch.events.every(isDistinct) ? `content ${JSON.stringify(batch)}` : `arrival ${randomUUID()}`;
}

function isDistinct(event: unknown): boolean {
  const { time, eventID } = (event ?? {}) as { time?: unknown; eventID?: unknown };
  return typeof time === "number" || typeof eventID === "string";
}

function moved(cause: unknown): AppError {
  return new AppError("unavailable", "Events are being moved to ClickHouse. Send them again shortly.", undefined, { cause });
}

export function readBatch({ events, statsigMetadata }: EventBatch, origin: Omit<EventContext, "device">): { rows: EventRow[] } & Refused {
  const rows: EventRow[] = [];
  const refused: RefusedEvent[] = [];
  let recordings = 0;
  const context = { ...origin, device: deviceFields(statsigMetadata) };
  for (const [index, event] of events.entries()) {
    if ((event as { eventName?: unknown } | null)?.eventName === RECORDING) {
      recordings += 1;
      refused.push({ index, reason: "recordings of sessions are not stored" });
      continue;
    }
    const row = readEvent(event, context);
    if ("reason" in row) refused.push({ index, reason: row.reason });
    else rows.push(row);
  }
  return { rows, refused, recordings };
}
