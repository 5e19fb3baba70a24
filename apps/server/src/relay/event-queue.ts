import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { isUnavailable } from "../authentication/lookups.ts";
import { AppError } from "../common/errors.ts";
import { type Settleable, settleable } from "../common/settleable.ts";
import type { EventJournal } from "./event-journal.ts";
import { RejectedRequest } from "./upstream.ts";

/** A batch of events that waits to be forwarded. */
export type QueuedBatch = {
  /** Identifies repetitions. */
  key: string;
  projectID: string;
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
  /** Sends batches together. @throws RejectedRequest if the origin will never accept them; another error if they can be sent again */
  send(texts: string[]): Promise<void>;
  /** The ID of the project that the origin stores events in. @throws AppError unavailable */
  findProject(): Promise<string>;
  journal: EventJournal | undefined;
  /** The most characters that wait. */
  maxCharacters: number;
  log: Logger;
};

type Waiting = QueuedBatch &
  Settleable & {
    /** Settles when the batch is in the journal. Undefined if the batch is only in memory. */
    stored?: Promise<void>;
    /** How often the batch failed alone, and from when it is sent before others again, by the monotonic clock, ms. */
    failures: number;
    retryAt: number;
  };

/** The largest group that is sent in one request, unless a single batch is larger. */
const MAX_GROUP = { characters: 4 * 2 ** 20, batches: 500 };
/** If the origin has not stored a batch after this time, the batch is kept and acknowledged. */
const MAX_WAIT_MS = 2_000;
const RETRY_MS = { first: 500, most: 5_000 };
/** How long a batch that failed alone lets others pass. */
const SET_ASIDE_MS = { first: 5_000, most: 300_000 };

/**
 * Forwards batches of events in the order of their arrival, and keeps them while the origin is away. After a failure, smaller groups are
 * sent. A batch that fails alone lets the others pass, so it can't block them.
 */
export function createEventQueue({ send, findProject, journal, maxCharacters, log }: Options): EventQueue {
  const waiting = new Map<string, Waiting>();
  /** The batches that wait and are in the journal, or will be. */
  let journaled = 0;
  /** The keys of batches in the journal that no longer wait. */
  let done: string[] = [];
  let characters = 0;
  let events = 0;
  let refused = 0;
  let isAway = false;
  let isClosed = false;
  let hasEnded = false;
  let retryMs = RETRY_MS.first;
  let groupLimit = MAX_GROUP.batches;
  const closing = new AbortController();
  let running: Promise<void> | undefined;

  for (const batch of journal?.restored ?? []) {
    enqueue(batch).stored = Promise.resolve();
    journaled++;
  }
  if (waiting.size > 0) run();

  function enqueue(batch: QueuedBatch): Waiting {
    const one: Waiting = { ...batch, ...settleable(), failures: 0, retryAt: 0 };
    // It may be refused when no caller waits for it.
    one.settled.catch(() => {});
    waiting.set(batch.key, one);
    characters += batch.text.length;
    events += batch.count;
    return one;
  }

  function remove(one: Waiting): void {
    if (waiting.get(one.key) !== one) return;
    waiting.delete(one.key);
    characters -= one.text.length;
    events -= one.count;
    if (one.stored) journaled--;
  }

  /** Removes a batch that needs no further attempt. */
  function finish(one: Waiting, error?: unknown): void {
    remove(one);
    if (one.stored) done.push(one.key);
    one.settle(error);
  }

  function drop(one: Waiting, reason: string, err?: unknown): void {
    log.error({ err, events: one.count }, reason);
    refused += one.count;
    finish(one, err);
  }

  function run(): void {
    running ??= forwardAll().finally(() => {
      running = undefined;
      if (waiting.size > 0 && !isClosed) run();
    });
  }

  async function forwardAll(): Promise<void> {
    while (waiting.size > 0) {
      let group: Waiting[] = [];
      try {
        dropForeign(await findProject());
        group = takeGroup();
        await forward(group);
        noteSuccess(group);
      } catch (err) {
        isAway = true;
        noteFailure(group, err);
        await keepAll();
        if (isClosed) return;
        await sleep(retryMs, undefined, { signal: closing.signal, ref: false }).catch(() => {});
        retryMs = Math.min(RETRY_MS.most, retryMs * 2);
      }
      await tidyJournal();
    }
  }

  /** The folder may have been used for another project before. */
  function dropForeign(projectID: string): void {
    for (const one of waiting.values())
      if (one.projectID !== projectID) drop(one, "Waiting events belong to another project than the relay's key, and are dropped.");
  }

  /** Sends a group. If the origin refuses it, sends each batch by itself, so that one batch can't block the others. */
  async function forward(group: Waiting[]): Promise<void> {
    if (group.length === 0) return;
    try {
      await send(group.map(({ text }) => text));
      for (const one of group) finish(one);
    } catch (error) {
      if (!(error instanceof RejectedRequest)) throw error;
      const [only, ...others] = group as [Waiting, ...Waiting[]];
      if (others.length > 0) for (const one of group) await forward([one]);
      else drop(only, "The origin refused a batch of events, which is dropped.", error);
    }
  }

  function noteSuccess(group: Waiting[]): void {
    isAway = false;
    retryMs = RETRY_MS.first;
    groupLimit = Math.min(MAX_GROUP.batches, 2 * groupLimit);
    // If one of them failed only because the origin was away, the others probably did too.
    if (group.some(({ failures }) => failures > 0)) for (const one of waiting.values()) Object.assign(one, { failures: 0, retryAt: 0 });
  }

  function noteFailure(group: Waiting[], err: unknown): void {
    log[isUnavailable(err) ? "debug" : "error"]({ err, batches: group.length }, "Events could not be forwarded. They are sent again.");
    const [only, ...others] = group;
    if (others.length > 0) groupLimit = Math.ceil(group.length / 2);
    else if (only) {
      only.retryAt = performance.now() + Math.min(SET_ASIDE_MS.most, SET_ASIDE_MS.first * 2 ** only.failures);
      only.failures++;
    }
  }

  /** A batch that failed alone is sent alone: when its time has come, or when no other waits. */
  function takeGroup(): Waiting[] {
    const now = performance.now();
    const group: Waiting[] = [];
    let size = 0;
    let isFull = false;
    let first: Waiting | undefined;
    for (const one of waiting.values()) {
      if (one.failures > 0) {
        if (!first || one.retryAt < first.retryAt) first = one;
        continue;
      }
      isFull ||= group.length > 0 && (size + one.text.length > MAX_GROUP.characters || group.length >= groupLimit);
      if (isFull) continue;
      group.push(one);
      size += one.text.length;
    }
    return first && (group.length === 0 || first.retryAt <= now) ? [first] : group;
  }

  /** Acknowledges the batches that wait, since they are kept now. */
  async function keepAll(): Promise<void> {
    await Promise.all([...waiting.values()].map(keep));
  }

  async function keep(one: Waiting): Promise<void> {
    if (waiting.get(one.key) !== one) return;
    try {
      if (journal && !one.stored) {
        journaled++;
        one.stored = journal.append(one);
      }
      await one.stored;
      one.settle();
    } catch (err) {
      if (waiting.get(one.key) !== one) return;
      log.error({ err }, "Events could not be written to GATEHOUSE_RELAY_DATA.");
      remove(one);
      one.settle(full());
    }
  }

  /** Forgets the batches in the journal that no longer wait. At worst, a later run sends them again. */
  async function tidyJournal(): Promise<void> {
    const keys = done;
    if (!journal || hasEnded || keys.length === 0) return;
    done = [];
    try {
      if (journaled === 0) await journal.clear();
      else if (journal.isLarge()) await journal.rewrite([...waiting.values()].filter(({ stored }) => stored));
      else await journal.remove(keys);
    } catch (err) {
      log.error({ err }, "Forwarded events could not be removed from GATEHOUSE_RELAY_DATA.");
    }
  }

  return {
    async add(batch) {
      const same = waiting.get(batch.key);
      if (same) return same.settled;
      if (isClosed || (characters > 0 && characters + batch.text.length > maxCharacters)) throw full();
      const one = enqueue(batch);
      if (isAway) await keep(one);
      run();
      // An origin that does not answer must not keep applications waiting.
      const timer = setTimeout(() => {
        isAway = true;
        void keep(one);
      }, MAX_WAIT_MS);
      return one.settled.finally(() => clearTimeout(timer));
    },

    state: () => ({ batches: waiting.size, characters, events, refused }),

    async close(timeoutMs) {
      isClosed = true;
      closing.abort();
      await Promise.race([running, sleep(timeoutMs, undefined, { ref: false })]);
      await keepAll();
      await tidyJournal();
      hasEnded = true;
      if (waiting.size > 0 && !journal)
        log.error({ events }, "The relay stopped with events that its origin has not received. They are lost.");
      await journal?.close();
    },
  };
}

function full(): AppError {
  return new AppError("unavailable", "The relay can't keep more events while its origin is away. Send them again shortly.");
}
