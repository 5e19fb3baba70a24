import type { Database } from "../database/database.ts";
import { repeating } from "../database/unit-of-work.ts";
import { leaseWrites, type Writer } from "./write-lease.ts";

const WINDOW_MS = 10_000;
/**
 * A server leases as many writes as it has used in the window, within these parts of the limit. So a server that writes little leaves at
 * most a hundredth of the limit unused, and others a twentieth. A server that writes alone asks about 20 times for the whole limit.
 */
const LEAST_PART = 1 / 100;
const LARGEST_PART = 1 / 20;
/** Writers whose leases are in memory. An evicted writer's unused writes are lost for its window. */
const MAX_WRITERS = 10_000;

export type WriteLimit = {
  /** The most writes of a writer in one window, of all servers together. */
  writes: number;
  /** The length of a window, ms: 10,000 if not given. */
  windowMs?: number;
  /** A clock that never goes back, ms: the process's if not given. */
  uptime?: () => number;
};

/** The answer to a write that asks whether it may happen. */
type Allowance = {
  isAllowed: boolean;
  /** The writes that remain in the window, as far as this server knows: others may have leased some of them. */
  remaining: number;
  /** When the window ends, ms from now. */
  endsInMs: number;
};

export type WriteLimiter = {
  limit: number;
  windowMs: number;
  /** Uses `count` writes of the writer's limit, one if not given. If fewer are left, it uses none. @throws AppError unavailable */
  take(writer: Writer, count?: number): Promise<Allowance>;
};

/** A server's share of a writer's window. */
type Share = {
  /** Leased by this server and not used. */
  unused: number;
  /** Used by this server. */
  used: number;
  /** Leased by no server when this one last asked. */
  left: number;
  /** When the window began, by the database's clock. */
  windowStart: bigint;
  /** When the window ends, by `uptime`. */
  until: number;
};

/**
 * Limits the writes of each writer in windows that follow each other by the database's clock. Servers lease parts of the limit from the
 * database and serve from them in memory, so that together they never allow more.
 */
export function createWriteLimiter(database: Database, { writes: limit, windowMs = WINDOW_MS, ...options }: WriteLimit): WriteLimiter {
  const { uptime = () => performance.now() } = options;
  const leastLease = Math.ceil(limit * LEAST_PART);
  const largestLease = Math.ceil(limit * LARGEST_PART);
  const shares = new Map<string, Share>();
  const leasing = new Map<string, Promise<void>>();
  return {
    limit,
    windowMs,
    async take(writer, count = 1) {
      const name = `${writer.projectID} ${writer.actor.id}`;
      for (;;) {
        const share = presentShare(name);
        const isAllowed = share !== undefined && share.unused >= count;
        if (share !== undefined && (isAllowed || share.left === 0)) {
          if (isAllowed) {
            share.unused -= count;
            share.used += count;
          }
          return { isAllowed, remaining: share.unused + share.left, endsInMs: share.until - uptime() };
        }
        await (leasing.get(name) ?? lease(name, writer, count));
      }
    },
  };

  function presentShare(name: string): Share | undefined {
    const share = shares.get(name);
    return share !== undefined && share.until > uptime() ? share : undefined;
  }

  /** Called where less is leased than is needed. Writes that wait together wait for one lease. */
  function lease(name: string, writer: Writer, count: number): Promise<void> {
    const { used = 0, unused = 0 } = presentShare(name) ?? {};
    const wanted = Math.max(Math.min(Math.max(used, leastLease), largestLease), count - unused);
    // The window's end counts from before the question, so that no lease is used after it, however long the answer took.
    const askedAt = uptime();
    const answered = repeating(database, (db) => leaseWrites(db, writer, { limit, windowMs, wanted }))
      .then(({ granted, left, windowStart, endsInMs }) => {
        const earlier = presentShare(name);
        // The rest of an earlier lease counts only in its own window.
        const rest = earlier?.windowStart === windowStart ? earlier : { used: 0, unused: 0 };
        remember(name, { unused: rest.unused + granted, used: rest.used, left, windowStart, until: askedAt + endsInMs });
      })
      .finally(() => leasing.delete(name));
    leasing.set(name, answered);
    return answered;
  }

  function remember(name: string, share: Share): void {
    shares.delete(name);
    const [oldest] = shares.keys();
    if (oldest !== undefined && shares.size >= MAX_WRITERS) shares.delete(oldest);
    shares.set(name, share);
  }
}
