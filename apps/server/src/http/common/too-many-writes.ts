import { AppError } from "../../common/errors.ts";
import type { WriteLimiter } from "../../store/requests/write-limiter.ts";

/** @param endsInMs until the next window */
export function tooManyWrites({ limit, windowMs }: Pick<WriteLimiter, "limit" | "windowMs">, endsInMs: number): AppError {
  const message = `The limit of ${limit} writes in ${toSeconds(windowMs)} seconds is reached. Try again after Retry-After seconds.`;
  return new AppError("too_many_requests", message, undefined, { retryAfterS: toSeconds(endsInMs) });
}

/** Whole seconds, rounded up, at least one. A caller who waits that long does not retry too early. */
export function toSeconds(milliseconds: number): number {
  return Math.max(1, Math.ceil(milliseconds / 1000));
}
