import { createLookups } from "../authentication/lookups.ts";
import type { SessionLimits } from "../common/session-limits.ts";
import type { Database } from "../store/database/database.ts";
import { reading } from "../store/database/unit-of-work.ts";
import { hashSecret } from "../tokens/secret.ts";
import { findSessions, noteSessionUse, type Session } from "./session-store.ts";

export type SessionCheck = {
  /**
   * The session of a cookie, with its person as they are now; undefined if it has ended. It is not cached: an end of the session or a
   * change of its person counts at once, on every server.
   * @throws AppError unavailable
   */
  find(secret: string): Promise<Session | undefined>;
  /** The same, but it does not count as a use of the session, so that an open page does not keep it from ending. */
  peek(secret: string): Promise<Session | undefined>;
};

export function createSessionCheck(database: Database, now: () => number, limits: SessionLimits): SessionCheck {
  // One query at a time, for any number of requests with invalid cookies.
  const lookups = createLookups(async (hashes) => {
    const sessions = await reading(database, (db) => findSessions(db, hashes, now(), limits));
    return new Map(sessions.map((session) => [session.hash, session]));
  }, database.mayHang);
  const peek = (secret: string) => lookups.inTime(lookups.find(hashSecret(secret)), false);
  return {
    peek: peek,
    async find(secret) {
      const session = await peek(secret);
      // No request depends on this, and the next one retries.
      if (session) noteSessionUse(database.db, session, now()).catch(() => {});
      return session;
    },
  };
}
