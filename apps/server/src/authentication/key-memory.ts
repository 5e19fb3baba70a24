import type { AppError } from "../common/errors.ts";
import type { Database } from "../store/database/database.ts";
import { createLookups, type FindAll, isUnavailable } from "./lookups.ts";

/**
 * How long a result is cached from the start of its look-up. A revoked key stops working, and a new key starts working, within this time on
 * every replica. On the embedded database, a statement of an analysis comes on top.
 */
const TRUSTED_FOR_MS = 500;
/** How long a key is trusted after its last look-up while the database is unavailable, so that applications can still read flags. */
const TRUSTED_WHILE_AWAY_MS = 3_600_000;
/** The size of each of two caches: active keys, and names without a key. So a flood of unknown names evicts no key. */
const MAX_KEYS = 10_000;
const MAX_REFUSED = 10_000;

type Trusted<Value> = { value: Value; lookedUpAt: number; until: number };
type Pending<Value> = { answer: Promise<Value | undefined>; lookedUpAt: number };

export type KeyMemory<Value> = {
  /** The value of the active key with this name; undefined if it does not exist. @throws AppError unavailable */
  get(name: string): Promise<Value | undefined>;
  /** Forgets the names without a key, after a key was created whose name may be among them. */
  forgetRefused(): void;
  /** Forgets keys that were found to be gone by a look-up that began at `lookedUpAt`. Keys that were found later stay. */
  forget(isGone: (value: Value) => boolean, lookedUpAt: number): void;
  /** Whether any key would be trusted if the database were unavailable. */
  hasTrusted(): boolean;
  /** Remembers a key that was looked up earlier, for when the database is unavailable. */
  restore(name: string, value: Value, lookedUpAt: number): void;
};

/** Where keys are looked up: the database, or the origin server of a relay. */
export type KeySource = Pick<Database, "mayHang" | "isHeld"> & {
  /** Default: an hour. */
  trustedWhileAwayMs?: number;
  /** The error while it is away. */
  toUnavailable?: (cause: unknown) => AppError;
};

/**
 * @param now the clock, ms since the epoch
 * @param database while it is held, earlier look-ups of keys are trusted, since it cannot store changes
 */
export function createKeyMemory<Value>(
  findAll: FindAll<Value>,
  now: () => number,
  { mayHang, isHeld, trustedWhileAwayMs = TRUSTED_WHILE_AWAY_MS, toUnavailable }: KeySource,
): KeyMemory<Value> {
  const lookups = createLookups(findAll, mayHang, toUnavailable);
  const keys = new Map<string, Trusted<Value>>();
  const refused = new Map<string, { until: number }>();
  const pending = new Map<string, Pending<Value>>();
  /** Incremented when the names without a key are forgotten. */
  let generation = 0;

  return {
    async get(name) {
      const time = now();
      const known = keys.get(name);
      if (known !== undefined && (known.until > time || (isHeld() && isTrusted(known)))) return known.value;
      if ((refused.get(name)?.until ?? 0) > time) return undefined;
      const asked = pending.get(name);
      // An older look-up may have missed that the key was revoked.
      return asked !== undefined && asked.lookedUpAt + TRUSTED_FOR_MS > time ? asked.answer : lookUp(name, known, time);
    },
    forgetRefused() {
      refused.clear();
      generation += 1;
    },
    forget(isGone, lookedUpAt) {
      for (const [name, known] of keys) if (known.lookedUpAt <= lookedUpAt && isGone(known.value)) keys.delete(name);
    },
    hasTrusted: () => [...keys.values()].some(isTrusted),
    restore: (name, value, lookedUpAt) => remember(keys, MAX_KEYS, name, { value, lookedUpAt, until: 0 }),
  };

  function lookUp(name: string, known: Trusted<Value> | undefined, lookedUpAt: number): Promise<Value | undefined> {
    const startedIn = generation;
    const lookup = lookups.find(name).then((value) => {
      // A result that is too late for its callers is cached as well.
      if (value !== undefined) trust(name, value, lookedUpAt);
      else refuse(name, lookedUpAt, startedIn);
      return value;
    });
    const inTime = lookups.inTime(lookup, known !== undefined);
    const answer = known === undefined ? inTime : inTime.catch((error: unknown) => asBefore(known, error));
    const asked = { answer, lookedUpAt };
    pending.set(name, asked);
    const end = () => void (pending.get(name) === asked && pending.delete(name));
    answer.then(end, end);
    return answer;
  }

  function trust(name: string, value: Value, lookedUpAt: number): void {
    refused.delete(name);
    if ((keys.get(name)?.lookedUpAt ?? 0) > lookedUpAt) return;
    remember(keys, MAX_KEYS, name, { value, lookedUpAt, until: lookedUpAt + TRUSTED_FOR_MS });
  }

  function refuse(name: string, lookedUpAt: number, startedIn: number): void {
    if ((keys.get(name)?.lookedUpAt ?? 0) > lookedUpAt) return;
    keys.delete(name);
    if (startedIn === generation) remember(refused, MAX_REFUSED, name, { until: lookedUpAt + TRUSTED_FOR_MS });
  }

  /** The result of the last look-up, if the database is unavailable and the result is not too old. */
  function asBefore(known: Trusted<Value>, error: unknown): Value {
    if (!isUnavailable(error) || !isTrusted(known)) throw error;
    known.until = now() + TRUSTED_FOR_MS;
    return known.value;
  }

  function isTrusted({ lookedUpAt }: Trusted<Value>): boolean {
    return now() - lookedUpAt <= trustedWhileAwayMs;
  }
}

/** Appends an entry, and evicts the oldest one beyond the limit. */
function remember<Entry>(entries: Map<string, Entry>, limit: number, name: string, entry: Entry): void {
  entries.delete(name);
  const [oldest] = entries.keys();
  if (oldest !== undefined && entries.size >= limit) entries.delete(oldest);
  entries.set(name, entry);
}
