import { AppError } from "../../common/errors.ts";
import { createFairQueue } from "../../common/fair-queue.ts";

/** A body whose decoded size exceeds this is large. */
export const LARGE_BODY_BYTES = 2 ** 18;

/** Bounds of the queue: bodies of each party and of all, and their bytes as sent. */
const MAX_WAITING = { each: 32, all: 64 };
const MAX_WAITING_BYTES = 2 ** 26;

/**
 * Bounds of the parsed bodies in flight, for each party and for all: their number, and the decoded bytes that keep another one from
 * starting. Fewer than the connections to the database, so that large writes that wait for a lock leave some to other requests.
 */
const MAX_HELD = { each: 6, all: 8 };
const MAX_HELD_BYTES = { each: 2 ** 24, all: 2 ** 25 };

/** The turn of a request with a large body. Methods that do not apply to its state have no effect. */
export type Turn = {
  /** Resolves when it is this request's turn. @param bytes buffered until then @throws AppError unavailable if the queue is full */
  take(bytes: number): Promise<void>;
  /** Sets the size of the decoded body, bytes. */
  measure(bytes: number): void;
  /** Passes the turn to the next, since the body is parsed and checked. The body counts as held until the end. */
  pass(): void;
  /** Ends the turn, if it was taken, and releases the body. */
  end(): void;
};

/** @param party the owner of the body: the project */
export type LargeBodies = { turn(party: string): Turn };

/**
 * Decodes, parses and checks large bodies one at a time, those of each party in the order of arrival, and bounds how many are handled concurrently. So their
 * memory is bounded, and one that waits for a lock in the database does not block the others.
 */
export function createLargeBodies(): LargeBodies {
  const waiting = createFairQueue<{ bytes: number; begin: () => void }>();
  const held = { count: 0, bytes: 0 };
  const heldOf = new Map<string, typeof held>();
  let waitingBytes = 0;
  let isTaken = false;

  const isFreeFor = (party: string): boolean => {
    const own = heldOf.get(party) ?? { count: 0, bytes: 0 };
    if (isTaken || held.count >= MAX_HELD.all || held.bytes >= MAX_HELD_BYTES.all) return false;
    return own.count < MAX_HELD.each && own.bytes < MAX_HELD_BYTES.each;
  };

  const take = async (party: string, bytes: number): Promise<void> => {
    if (isFreeFor(party)) {
      isTaken = true;
      return;
    }
    if (waiting.count(party) >= MAX_WAITING.each || waiting.size >= MAX_WAITING.all || waitingBytes + bytes > MAX_WAITING_BYTES)
      throw busy();
    waitingBytes += bytes;
    await new Promise<void>((begin) => waiting.add(party, { bytes, begin }));
  };

  const next = (): void => {
    const first = waiting.take(isFreeFor);
    if (!first) return;
    isTaken = true;
    waitingBytes -= first.item.bytes;
    first.item.begin();
  };

  const hold = (party: string, bytes: number, change: 1 | -1): void => {
    const own = heldOf.get(party) ?? { count: 0, bytes: 0 };
    for (const counted of [held, own]) {
      counted.count += change;
      counted.bytes += change * bytes;
    }
    if (own.count > 0) heldOf.set(party, own);
    else heldOf.delete(party);
  };

  return {
    turn(party) {
      let state: "none" | "taken" | "held" = "none";
      let size = 0;
      return {
        async take(bytes) {
          await take(party, bytes);
          state = "taken";
        },
        measure(bytes) {
          size = bytes;
        },
        pass() {
          if (state !== "taken") return;
          state = "held";
          isTaken = false;
          hold(party, size, 1);
          next();
        },
        end() {
          if (state === "taken") isTaken = false;
          if (state === "held") hold(party, size, -1);
          state = "none";
          next();
        },
      };
    },
  };
}

function busy(): AppError {
  return new AppError("unavailable", "Too many large bodies are queued. Try again after Retry-After seconds.");
}
