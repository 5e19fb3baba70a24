import { randomUUID } from "node:crypto";
import { toWaiting, type WaitingBatch } from "./event-batch.ts";
import { type Exposure, keyOf, toEvent } from "./exposure.ts";
import { type EventRow, readEvent } from "./logged-event.ts";

/** How long an exposure is not kept again, ms. SDKs do the same. */
const SEEN_FOR = 60_000;
/** The most exposures that are remembered as seen; then the oldest are forgotten. */
const MOST_SEEN = 100_000;
/** The most that wait. */
const MOST_WAITING = 20_000;
/** They are kept when so many wait, or after so long, ms. */
const ENOUGH = 1_000;
const LONGEST_WAIT = 1_000;

type ExposureBuffer = {
  expose(projectID: string, exposure: Exposure): void;
  /** How many there was no room for so far. */
  dropped(): number;
  /** Keeps what waits. What cannot be kept now is given up. */
  close(): Promise<void>;
};

/** Gathers exposures that the server itself saw, each of a unit once a minute, and gives them on in batches. */
export function createExposureBuffer(keep: (batch: WaitingBatch) => Promise<void>, now: () => number): ExposureBuffer {
  const seen = new Map<string, number>();
  let waiting = new Map<string, { projectID: string; source: string; rows: EventRow[] }>();
  /** Could not be kept at the first try. */
  let delayed: WaitingBatch[] = [];
  /** Those that wait, and of them those that were not tried yet. */
  let count = 0;
  let untried = 0;
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;
  let flushing: Promise<void> | undefined;

  function expose(projectID: string, exposure: Exposure): void {
    const time = now();
    if (!isNew(keyOf(projectID, exposure), time)) return;
    if (count >= MOST_WAITING) {
      dropped += 1;
      return;
    }
    const row = readEvent(toEvent(exposure, time), time);
    // A user whose ids no event may have.
    if ("reason" in row) return;
    const { source } = exposure;
    const place = JSON.stringify([projectID, source]);
    const batch = waiting.get(place) ?? { projectID, source, rows: [] };
    waiting.set(place, batch);
    batch.rows.push(row);
    count += 1;
    untried += 1;
    // While the database is away, once a second.
    if (untried >= ENOUGH && delayed.length === 0) void flush();
    else schedule();
  }

  function isNew(key: string, time: number): boolean {
    const before = seen.get(key);
    if (before !== undefined && time - before < SEEN_FOR) return false;
    seen.delete(key);
    seen.set(key, time);
    if (seen.size > MOST_SEEN) seen.delete(seen.keys().next().value as string);
    return true;
  }

  function schedule(): void {
    timer ??= setTimeout(() => void flush(), LONGEST_WAIT).unref();
  }

  function flush(): Promise<void> {
    flushing ??= keepWaiting().finally(() => {
      flushing = undefined;
      if (count > 0) schedule();
    });
    return flushing;
  }

  async function keepWaiting(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const made = [...waiting.values()].map(({ projectID, source, rows }) => toWaiting(projectID, source, rows, randomUUID()));
    const batches = [...delayed, ...made];
    waiting = new Map();
    untried = 0;
    const results = await Promise.allSettled(batches.map(keep));
    delayed = batches.filter((_, index) => results[index]?.status === "rejected");
    count -= batches.filter((batch) => !delayed.includes(batch)).reduce((sum, batch) => sum + batch.count, 0);
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
