import type { Origin } from "../context.ts";
import type { Database } from "../store/database.ts";
import type { Session, SessionLimits } from "./session-store.ts";

/** What the server adds to a request of an account operation. These begin and end transactions themselves: a password takes time to verify. */
export type AccountEnv = {
  database: Database;
  /** Milliseconds since the epoch. */
  now: number;
  limits: SessionLimits;
  origin: Origin;
};

/** The same for operations that need a session. */
export type SignedInEnv = AccountEnv & { session: Session };

/** A response with the secret of a session that began with it, or with an empty one if the request's session ended. */
export type WithSession = { session: { secret: string; endsTime: number } };
