import { randomUUID } from "node:crypto";
import { AppError } from "../../common/errors.ts";
import { toWaiting, type WaitingBatch } from "./event-batch.ts";
import { type Exposure, exposureKey, toEvent } from "./exposure.ts";
import { type EventRow, readEvent } from "./logged-event.ts";

/** A repeated exposure is dropped within this time, as SDKs do. */
const DEDUPLICATION_WINDOW_MS = 60_000;
/** Exposures remembered for deduplication. Beyond this the oldest are evicted. */
const MAX_REMEMBERED = 100_000;
/** Bounds of the queue: exposures, and their characters. */
const MAX_QUEUED = 20_000;
const MAX_QUEUED_LENGTH = 8 * 2 ** 20;
/** The queue is flushed when it has this many exposures, or after this time. */
const FLUSH_COUNT = 1_000;
const FLUSH_INTERVAL_MS = 1_000;

type ExposureBuffer = {
  expose(projectID: string, exposure: Exposure): void;
  /** Exposures dropped so far because the queue was full. */
  dropped(): number;
  /** Flushes the queue. Exposures that cannot be stored now are dropped. */
  close(): Promise<void>;
};

/** How exposures are queued and joined. */
export type ExposureFormat<Row, Batch> = {
  /** Undefined for an exposure that is not valid as an event. @param time of the evaluation, ms since the epoch */
  toRow(exposure: Exposure, time: number): Row | undefined;
  /** The size of a row in the queue, characters. */
  measure(row: Row): number;
  toBatch(projectID: string, source: string, rows: Row[]): Batch;
};

type SizedBatch = { count: number; rows: { readonly length: number } };

/** The format of exposures that the database stores. */
export function storedExposures(keepsUserFields: boolean): ExposureFormat<EventRow, WaitingBatch> {
  return {
    toRow(exposure, time) {
      const row = readEvent(toEvent(exposure, time), { ...exposure.origin, now: time, keepsUserFields });
      return "reason" in row ? undefined : row;
    },
    measure: measureLength,
    toBatch: (projectID, source, rows) => toWaiting(projectID, source, rows, randomUUID()),
  };
}

/** Collects the server's own exposures, each of a unit once a minute, and passes them on in batches. */
export function createExposureBuffer<Row, Batch extends SizedBatch>(
  store: (batch: Batch) => Promise<void>,
  { now, toRow, measure, toBatch }: ExposureFormat<Row, Batch> & { now: () => number },
): ExposureBuffer {
  const seen = new Map<string, number>();
  let waiting = new Map<string, { projectID: string; source: string; rows: Row[] }>();
  /** Batches to retry, because the database was away. */
  let delayed: Batch[] = [];
  /** Exposures in the queue, and those of them that were not tried yet. */
  let count = 0;
  let untried = 0;
  /** The characters of both. */
  let size = 0;
  let untriedSize = 0;
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;
  let flushing: Promise<void> | undefined;

  function expose(projectID: string, exposure: Exposure): void {
    const time = now();
    if (!isNew(exposureKey(projectID, exposure), time)) return;
    const row = toRow(exposure, time);
    // The user has ids that events may not have.
    if (row === undefined) return;
    const rowSize = measure(row);
    if (count >= MAX_QUEUED || size + rowSize > MAX_QUEUED_LENGTH) {
      dropped += 1;
      return;
    }
    const { source } = exposure;
    const queueKey = JSON.stringify([projectID, source]);
    const batch = waiting.get(queueKey) ?? { projectID, source, rows: [] };
    waiting.set(queueKey, batch);
    batch.rows.push(row);
    count += 1;
    untried += 1;
    size += rowSize;
    untriedSize += rowSize;
    // While the database is away, only the timer flushes.
    if (untried >= FLUSH_COUNT && delayed.length === 0) void flush();
    else schedule();
  }

  function isNew(key: string, time: number): boolean {
    const before = seen.get(key);
    if (before !== undefined && time - before < DEDUPLICATION_WINDOW_MS) return false;
    seen.delete(key);
    seen.set(key, time);
    if (seen.size > MAX_REMEMBERED) seen.delete(seen.keys().next().value as string);
    return true;
  }

  function schedule(): void {
    timer ??= setTimeout(() => void flush(), FLUSH_INTERVAL_MS).unref();
  }

  function flush(): Promise<void> {
    flushing ??= storeQueue().finally(() => {
      flushing = undefined;
      if (count > 0) schedule();
    });
    return flushing;
  }

  async function storeQueue(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const made = [...waiting.values()].map(({ projectID, source, rows }) => toBatch(projectID, source, rows));
    const batches = [...delayed, ...made];
    waiting = new Map();
    untried = 0;
    size += countRows(made) - untriedSize;
    untriedSize = 0;
    const results = await Promise.allSettled(batches.map(store));
    const isAway = (result: PromiseSettledResult<void> | undefined) =>
      result?.status === "rejected" && result.reason instanceof AppError && result.reason.code === "unavailable";
    delayed = batches.filter((_, index) => isAway(results[index]));
    // A retry of a batch that the database rejected would fail again and block the queue.
    dropped += countEvents(batches.filter((batch, index) => results[index]?.status === "rejected" && !delayed.includes(batch)));
    const settled = batches.filter((batch) => !delayed.includes(batch));
    count -= countEvents(settled);
    size -= countRows(settled);
  }

  return {
    expose,
    dropped: () => dropped,
    async close() {
      await flushing;
      await flush();
      clearTimeout(timer);
    },
  };
}

function measureLength({ metadata, userID, customIDs, userFields, secondaryExposures, checks }: EventRow): number {
  return [metadata, userID, customIDs, userFields, secondaryExposures, checks].reduce((sum, text) => sum + (text?.length ?? 0), 0);
}

const countEvents = (batches: SizedBatch[]) => batches.reduce((sum, { count }) => sum + count, 0);
const countRows = (batches: SizedBatch[]) => batches.reduce((sum, { rows }) => sum + rows.length, 0);
