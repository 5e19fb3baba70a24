import type { Credentials } from "../../common/context.ts";
import { AppError } from "../../common/errors.ts";

const WINDOW_MS = 10_000;

/** Requests of the evaluation API: those that read flags, and those that send events. */
export type RequestSort = "evaluation" | "events";

/** The maximum number of requests of one key in ten seconds. */
type RequestLimit = number | "off";

/** The limits of each sort of request. One that is missing is off. */
export type RequestLimits = { [Of in RequestSort]?: RequestLimit };

export type RequestLimiter = {
  /** Counts a request. @throws AppError too_many_requests beyond the limit of its key */
  take(sort: RequestSort, caller: Pick<Credentials, "actor" | "projectID">): void;
};

/**
 * Limits the requests of each key, in windows that all keys share. It works without a database: each server counts for itself, so a key
 * that uses several servers has its limit on each. Counts of earlier windows are dropped, so memory is bounded by the active keys.
 *
 * @param uptime a clock that never goes back, ms
 * @returns undefined if both limits are off
 */
export function createRequestLimiter(
  { evaluation = "off", events = "off" }: RequestLimits,
  uptime: () => number = () => performance.now(),
): RequestLimiter | undefined {
  if (evaluation === "off" && events === "off") return undefined;
  const limits = { evaluation, events };
  const counts = { evaluation: new Map<string, number>(), events: new Map<string, number>() };
  let endsAt = 0;
  return {
    take(sort, { actor, projectID }) {
      const limit = limits[sort];
      if (limit === "off") return;
      const now = uptime();
      if (now >= endsAt) {
        counts.evaluation.clear();
        counts.events.clear();
        endsAt = now + WINDOW_MS;
      }
      const key = `${projectID} ${actor.id}`;
      const used = counts[sort].get(key) ?? 0;
      if (used >= limit) throw refuse(sort, limit, endsAt - now);
      counts[sort].set(key, used + 1);
    },
  };
}

function refuse(sort: RequestSort, limit: number, endsInMs: number): AppError {
  const noun = { evaluation: "requests for flags", events: "requests with events" }[sort];
  const message = `The key has reached its limit of ${limit} ${noun} in ${WINDOW_MS / 1000} seconds. Try again after Retry-After seconds.`;
  return new AppError("too_many_requests", message, undefined, { retryAfterS: Math.max(1, Math.ceil(endsInMs / 1000)) });
}
