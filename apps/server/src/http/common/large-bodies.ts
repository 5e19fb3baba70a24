import { AppError } from "../../errors.ts";

/** A body that decodes to more is large, bytes. */
export const LARGE_BODY_BYTES = 2 ** 18;

/** The most large bodies that wait for their turn, and the most bytes of them, as sent. */
const MAX_WAITING = 64;
const MAX_WAITING_BYTES = 2 ** 26;

/** The turn of one request among those with large bodies. */
export type Turn = {
  /** Resolves when no other request has the turn. @param bytes what is held until then @throws AppError unavailable when too many wait */
  take(bytes: number): Promise<void>;
  /** Gives the turn to the next, if it was taken. */
  end(): void;
};

export type LargeBodies = { turn(): Turn };

/** Lets large bodies be decoded, parsed and handled one at a time, in the order of their arrival: so the memory of one is that of all. */
export function createLargeBodies(): LargeBodies {
  const waiting: { bytes: number; begin: () => void }[] = [];
  let waitingBytes = 0;
  let isTaken = false;

  const take = async (bytes: number): Promise<void> => {
    if (!isTaken) {
      isTaken = true;
      return;
    }
    if (waiting.length >= MAX_WAITING || waitingBytes + bytes > MAX_WAITING_BYTES) throw busy();
    waitingBytes += bytes;
    await new Promise<void>((begin) => waiting.push({ bytes, begin }));
  };

  const end = (): void => {
    const next = waiting.shift();
    isTaken = next !== undefined;
    if (!next) return;
    waitingBytes -= next.bytes;
    next.begin();
  };

  return {
    turn() {
      let isOurs = false;
      return {
        async take(bytes) {
          await take(bytes);
          isOurs = true;
        },
        end() {
          if (isOurs) end();
          isOurs = false;
        },
      };
    },
  };
}

function busy(): AppError {
  return new AppError("unavailable", "Too many large bodies are waiting. Send this one again after Retry-After seconds.");
}
