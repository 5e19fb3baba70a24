import type { Database } from "../../store/database.ts";
import { lacksPartition } from "../../store/database-errors.ts";
import { repeating } from "../../store/unit-of-work.ts";
import { dayOf } from "./day.ts";
import { toWaiting, type WaitingBatch } from "./event-batch.ts";
import { keepBatches } from "./event-intake-store.ts";
import { createPartitions } from "./event-partitions.ts";
import type { Exposure } from "./exposure.ts";
import { createExposureBuffer } from "./exposure-buffer.ts";
import { createGroupCommit } from "./group-commit.ts";
import { type EventRow, readEvent } from "./logged-event.ts";

/** A batch as it was sent: its envelope is what the contract says, its events are looked at one by one. */
export type EventBatch = { events: unknown[]; statsigMetadata?: { sdkType?: string | null; [field: string]: unknown } | null };

/** An event of a batch that is not kept. */
type RefusedEvent = { index: number; reason: string };

/** Where all events go that are to be kept. There is one in a server. */
export type EventIntake = {
  /**
   * Keeps a batch and answers when it is durable. A batch that was kept within the last ten minutes is not kept again. Answers which of
   * its events are refused.
   * @throws AppError unavailable while the database does not keep up; sending the batch again is safe
   */
  log(projectID: string, batch: EventBatch): Promise<{ refused: RefusedEvent[] }>;
  /**
   * Keeps an exposure soon, and the same one of the same unit once a minute. It never waits: what there is no room for is dropped and
   * counted.
   */
  expose(projectID: string, exposure: Exposure): void;
  /** The characters that wait to be stored, and the exposures dropped so far. */
  load(): { waiting: number; droppedExposures: number };
  /** Keeps what is waiting. Nothing may be given to it afterwards. */
  close(): Promise<void>;
};

/** @param now the clock, ms since the epoch */
export function createEventIntake({ database, now }: { database: Database; now: () => number }): EventIntake {
  const partitions = createPartitions(database);
  const commit = createGroupCommit(write);
  const exposures = createExposureBuffer(commit.keep, now);

  async function write(batches: WaitingBatch[]): Promise<void> {
    const time = now();
    const attempt = async () => {
      await partitions.require(dayOf(time));
      await repeating(database, (db) => keepBatches(db, batches, time));
    };
    await attempt().catch((error: unknown) => {
      if (!lacksPartition(error)) throw error;
      partitions.forget();
      return attempt();
    });
  }

  return {
    async log(projectID, batch) {
      const { rows, refused } = readBatch(batch, now());
      if (rows.length > 0)
        await commit.keep(toWaiting(projectID, batch.statsigMetadata?.sdkType || "http_api", rows, JSON.stringify(batch)));
      return { refused };
    },
    expose: exposures.expose,
    load: () => ({ waiting: commit.size(), droppedExposures: exposures.dropped() }),
    async close() {
      await exposures.close();
      await commit.idle();
    },
  };
}

function readBatch({ events }: EventBatch, now: number): { rows: EventRow[]; refused: RefusedEvent[] } {
  const rows: EventRow[] = [];
  const refused: RefusedEvent[] = [];
  for (const [index, event] of events.entries()) {
    const row = readEvent(event, now);
    if ("reason" in row) refused.push({ index, reason: row.reason });
    else rows.push(row);
  }
  return { rows, refused };
}
