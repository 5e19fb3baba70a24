import { AppError } from "../../common/errors.ts";

/** A body whose decoded size exceeds this is large. */
export const LARGE_BODY_BYTES = 2 ** 18;

/** Bounds of the queue: bodies, and their bytes as sent. */
const MAX_WAITING = 64;
const MAX_WAITING_BYTES = 2 ** 26;

/**
 * Bounds of the parsed bodies in flight: their number, and their decoded bytes, from which no other is started. Fewer than the connections
 * to the database, so that large writes that wait for a lock leave some to other requests.
 */
const MAX_HELD = 8;
const MAX_HELD_BYTES = 2 ** 25;

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

export type LargeBodies = { turn(): Turn };

/**
 * Decodes, parses and checks large bodies one at a time, in the order of arrival, and bounds how many are handled concurrently. So their
 * memory is bounded, and one that waits for a lock in the database does not block the others.
 */
export function createLargeBodies(): LargeBodies {
  const waiting: { bytes: number; begin: () => void }[] = [];
  const held = { count: 0, bytes: 0 };
  let waitingBytes = 0;
  let isTaken = false;

  const isFree = () => !isTaken && held.count < MAX_HELD && held.bytes < MAX_HELD_BYTES;

  const take = async (bytes: number): Promise<void> => {
    if (isFree()) {
      isTaken = true;
      return;
    }
    if (waiting.length >= MAX_WAITING || waitingBytes + bytes > MAX_WAITING_BYTES) throw busy();
    waitingBytes += bytes;
    await new Promise<void>((begin) => waiting.push({ bytes, begin }));
  };

  const next = (): void => {
    if (!isFree()) return;
    const first = waiting.shift();
    if (!first) return;
    isTaken = true;
    waitingBytes -= first.bytes;
    first.begin();
  };

  return {
    turn() {
      let state: "none" | "taken" | "held" = "none";
      let size = 0;
      return {
        async take(bytes) {
          await take(bytes);
          state = "taken";
        },
        measure(bytes) {
          size = bytes;
        },
        pass() {
          if (state !== "taken") return;
          state = "held";
          isTaken = false;
          held.count += 1;
          held.bytes += size;
          next();
        },
        end() {
          if (state === "taken") isTaken = false;
          if (state === "held") {
            held.count -= 1;
            held.bytes -= size;
          }
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
