import { AppError } from "../../common/errors.ts";

const MAX_FAILURES = 100;
const WINDOW_MS = 15 * 60 * 1000;
/** Maximum number of networks whose failures are counted. A new one replaces the oldest. */
const MAX_NETWORKS = 10_000;

export type FailureLimit = {
  /** Counts a failure. @throws AppError too_many_requests beyond the limit of the network */
  count(network: string): void;
};

/**
 * Limits the requests with a wrong token from each network, on this replica. It doesn't use the database, so that a flood of requests costs little.
 * Requests with a right token are not limited.
 * @param now milliseconds since the epoch
 */
export function createFailureLimit(now: () => number): FailureLimit {
  const windows = new Map<string, { count: number; endsTime: number }>();
  return {
    count(network) {
      const time = now();
      const known = windows.get(network);
      const window = known && known.endsTime > time ? known : { count: 0, endsTime: time + WINDOW_MS };
      if (window.count >= MAX_FAILURES) throw tooMany(window.endsTime - time);
      window.count += 1;
      windows.delete(network);
      const [oldest] = windows.keys();
      if (windows.size >= MAX_NETWORKS && oldest !== undefined) windows.delete(oldest);
      windows.set(network, window);
    },
  };
}

function tooMany(endsInMs: number): AppError {
  const retryAfterS = Math.max(1, Math.ceil(endsInMs / 1000));
  const message = "There were too many requests with a wrong token. Try again after Retry-After seconds.";
  return new AppError("too_many_requests", message, undefined, { retryAfterS });
}
