import { AppError } from "../../common/errors.ts";
import { type Settleable, settleable } from "../../common/settleable.ts";
import type { WaitingBatch } from "./event-batch.ts";

type GroupCommit = {
  /** Resolves when the batch is durable. @throws AppError unavailable if the queue is full or makes no progress */
  store(batch: WaitingBatch): Promise<void>;
  /** The characters that are queued or being written. */
  size(): number;
  /** Resolves when the queue is empty. QUEUE_TIMEOUT_MS bounds that, even while a write hangs. */
  idle(): Promise<void>;
};

type Waiting = Settleable & { batch: WaitingBatch };

/** Back-pressure: the most characters that are queued or being written. Beyond it, batches are rejected. */
const MAX_PENDING_LENGTH = 32 * 2 ** 20;
/** A batch is rejected after waiting this long. */
const QUEUE_TIMEOUT_MS = 5_000;
/** The largest group, in characters and in events, unless a single batch is larger. */
const MAX_GROUP = { size: 4 * 2 ** 20, count: 10_000 };

/**
 * Group commit: the batches that arrive while one group is being written form the next. So commits follow the database's pace, and groups
 * grow with the load. `write` stores all of a group or none of it, and skips batches that it has stored before.
 */
export function createGroupCommit(write: (batches: WaitingBatch[]) => Promise<void>): GroupCommit {
  /** By project and key, in the order of arrival. A repetition of an unsettled batch shares its result. */
  const unsettled = new Map<string, Waiting>();
  let queue: Waiting[] = [];
  let size = 0;
  let isRunning = false;

  return {
    async store(batch) {
      const id = `${batch.projectID} ${batch.key}`;
      const same = unsettled.get(id);
      if (same) return same.settled;
      if (size > 0 && size + batch.rows.length > MAX_PENDING_LENGTH) throw overloaded();
      const waiting = wait(batch, () => unsettled.delete(id));
      unsettled.set(id, waiting);
      queue.push(waiting);
      size += batch.rows.length;
      if (!isRunning) void run();
      return waiting.settled;
    },
    size: () => size,
    async idle() {
      while (unsettled.size > 0) await Promise.allSettled(Array.from(unsettled.values(), ({ settled }) => settled));
    },
  };

  /** Rejects the batch after QUEUE_TIMEOUT_MS, and removes it from the queue unless its write has begun. */
  function wait(batch: WaitingBatch, onSettled: () => void): Waiting {
    const giveUp = () => {
      const left = queue.filter((other) => other !== waiting);
      if (left.length < queue.length) size -= batch.rows.length;
      queue = left;
      waiting.settle(overloaded());
    };
    const timer = setTimeout(giveUp, QUEUE_TIMEOUT_MS);
    const waiting = { batch, ...settleable() };
    waiting.settled
      .finally(() => {
        clearTimeout(timer);
        onSettled();
      })
      .catch(() => {});
    return waiting;
  }

  async function run(): Promise<void> {
    isRunning = true;
    while (queue.length > 0) {
      const group = takeGroup();
      await writeGroup(group);
      size -= countRows(group);
    }
    isRunning = false;
  }

  /** Writes a group. If the statement fails, writes each batch by itself, so that one batch cannot fail the others. */
  async function writeGroup(group: Waiting[]): Promise<void> {
    try {
      await write(group.map(({ batch }) => batch));
      for (const { settle } of group) settle();
    } catch (error) {
      const isTheirs = group.length > 1 && !(error instanceof AppError);
      if (isTheirs) for (const one of group) await writeGroup([one]);
      else for (const { settle } of group) settle(error);
    }
  }

  /** Takes the next group from the front of the queue. No two of its batches share an event. */
  function takeGroup(): Waiting[] {
    const eventKeys = new Set<string>();
    let [characters, events, length] = [0, 0, 0];
    for (const { batch } of queue) {
      const isLarge = characters + batch.rows.length > MAX_GROUP.size || events + batch.count > MAX_GROUP.count;
      const isRelated = [...batch.eventKeys].some((key) => eventKeys.has(key));
      if (length > 0 && (isLarge || isRelated)) break;
      characters += batch.rows.length;
      events += batch.count;
      length += 1;
      for (const key of batch.eventKeys) eventKeys.add(key);
    }
    return queue.splice(0, length);
  }
}

const countRows = (group: Waiting[]) => group.reduce((sum, { batch }) => sum + batch.rows.length, 0);

function overloaded(): AppError {
  return new AppError("unavailable", "Events arrive faster than the database can store them. Send them again shortly.");
}
