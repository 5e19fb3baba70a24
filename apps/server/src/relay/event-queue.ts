import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { isUnavailable } from "../authentication/lookups.ts";
import { AppError } from "../common/errors.ts";
import type { EventJournal } from "./event-journal.ts";

/** A batch of events that waits to be forwarded. */
export type QueuedBatch = {
  /** Identifies repetitions. */
  key: string;
  /** The number of its events. */
  count: number;
  /** The batch as JSON. */
  text: string;
};

export type EventQueue = {
  /**
   * Resolves when the origin has stored the batch. While the origin is away, resolves when the batch is kept: on disk if there is a
   * journal, otherwise in memory.
   * @throws AppError unavailable if the queue is full; Error if the origin refuses the batch
   */
  add(batch: QueuedBatch): Promise<void>;
  /** The waiting batches, their characters and events, and the events that the origin refused so far. */
  state(): { batches: number; characters: number; events: number; refused: number };
  /** Forwards what it can within a time. Further batches are rejected. */
  close(timeoutMs: number): Promise<void>;
};

type Options = {
  /** Sends batches together. @throws AppError unavailable if they can be sent again; another error if never */
  send(texts: string[]): Promise<void>;
  journal: EventJournal | undefined;
  /** The most characters that wait. */
  maxCharacters: number;
  log: Logger;
};

type Waiting = QueuedBatch & { settled: Promise<void>; settle(error?: unknown): void; isJournaled: boolean };

/** The largest group that is sent in one request, unless a single batch is larger. */
const MAX_GROUP = { characters: 4 * 2 ** 20, batches: 500 };
/** A batch that the origin has not stored by then is kept, and acknowledged. */
const MAX_WAIT_MS = 2_000;
const RETRY_MS = { first: 500, most: 5_000 };

/** Forwards batches of events in the order of their arrival, and keeps them while the origin is away. */
export function createEventQueue({ send, journal, maxCharacters, log }: Options): EventQueue {
  const waiting = new Map<string, Waiting>();
  let characters = 0;
  let events = 0;
  let refused = 0;
  let isAway = false;
  let isClosed = false;
  let retryMs = RETRY_MS.first;
  const closing = new AbortController();
  let running: Promise<void> | undefined;

  for (const batch of journal?.read() ?? []) enqueue(batch, true);
  if (waiting.size > 0) run();

  function enqueue(batch: QueuedBatch, isJournaled: boolean): Waiting {
    const one: Waiting = { ...batch, ...settleable(), isJournaled };
    waiting.set(batch.key, one);
    characters += batch.text.length;
    events += batch.count;
    return one;
  }

  function remove(one: Waiting): void {
    if (!waiting.delete(one.key)) return;
    characters -= one.text.length;
    events -= one.count;
  }

  function run(): void {
    running ??= forwardAll()
      .catch((err: unknown) => log.error({ err }, "Events could not be forwarded or removed from GATEHOUSE_RELAY_DATA."))
      .finally(() => {
        running = undefined;
        if (waiting.size > 0 && !isClosed) run();
      });
  }

  async function forwardAll(): Promise<void> {
    while (waiting.size > 0) {
      const group = takeGroup();
      try {
        await forward(group);
        isAway = false;
        retryMs = RETRY_MS.first;
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        isAway = true;
        await keepAll();
        if (isClosed) return;
        await sleep(retryMs, undefined, { signal: closing.signal, ref: false }).catch(() => {});
        retryMs = Math.min(RETRY_MS.most, retryMs * 2);
      }
    }
    await journal?.clear();
  }

  /** Sends a group. If the origin refuses it, sends each batch by itself, so that one batch can't block the others. */
  async function forward(group: Waiting[]): Promise<void> {
    try {
      await send(group.map(({ text }) => text));
      for (const one of group) {
        remove(one);
        one.settle();
      }
    } catch (error) {
      if (isUnavailable(error)) throw error;
      if (group.length > 1) {
        for (const one of group) await forward([one]);
        return;
      }
      const [only] = group as [Waiting];
      log.error({ err: error, events: only.count }, "The origin refused a batch of events, which is dropped.");
      refused += only.count;
      remove(only);
      only.settle(error);
    }
  }

  function takeGroup(): Waiting[] {
    const group: Waiting[] = [];
    let size = 0;
    for (const one of waiting.values()) {
      if (group.length > 0 && (size + one.text.length > MAX_GROUP.characters || group.length >= MAX_GROUP.batches)) break;
      group.push(one);
      size += one.text.length;
    }
    return group;
  }

  /** Acknowledges the batches that wait, since they are kept now. */
  async function keepAll(): Promise<void> {
    await Promise.all([...waiting.values()].map(keep));
  }

  async function keep(one: Waiting): Promise<void> {
    if (!waiting.has(one.key)) return;
    try {
      if (journal && !one.isJournaled) await journal.append(one);
      one.isJournaled = true;
      one.settle();
    } catch (err) {
      log.error({ err }, "Events could not be written to GATEHOUSE_RELAY_DATA.");
      remove(one);
      one.settle(full());
    }
  }

  return {
    async add(batch) {
      const same = waiting.get(batch.key);
      if (same) return same.settled;
      if (isClosed || (characters > 0 && characters + batch.text.length > maxCharacters)) throw full();
      const one = enqueue(batch, false);
      if (isAway) await keep(one);
      run();
      // An origin that does not answer must not keep applications waiting.
      const timer = setTimeout(() => void keep(one), MAX_WAIT_MS);
      return one.settled.finally(() => clearTimeout(timer));
    },

    state: () => ({ batches: waiting.size, characters, events, refused }),

    async close(timeoutMs) {
      isClosed = true;
      closing.abort();
      await Promise.race([running, sleep(timeoutMs, undefined, { ref: false })]);
      await keepAll();
      if (waiting.size > 0 && !journal)
        log.error({ events }, "The relay stopped with events that its origin has not received. They are lost.");
      await journal?.close();
    },
  };
}

function settleable(): Pick<Waiting, "settled" | "settle"> {
  let settle: Waiting["settle"] = () => {};
  const settled = new Promise<void>((resolve, reject) => {
    settle = (error) => (error === undefined ? resolve() : reject(error));
  });
  // A batch that nobody waits for any longer may still be refused.
  settled.catch(() => {});
  return { settled, settle };
}

function full(): AppError {
  return new AppError("unavailable", "The relay can't keep more events while its origin is away. Send them again shortly.");
}
