/** Longest wait that a system can ask for, in milliseconds. */
const MAX_DELAY_MS = 120_000;

/**
 * The milliseconds to wait before the next attempt: as `Retry-After` states in seconds or as a date, or 1, 2, 4… seconds without it.
 * Undefined if the wait is longer than two minutes.
 */
export function retryDelay(retryAfter: string | null, attempt: number, now: number): number | undefined {
  const seconds = retryAfter === null || retryAfter.trim() === "" ? Number.NaN : Number(retryAfter);
  const date = Date.parse(retryAfter ?? "");
  const asked = Number.isFinite(seconds) ? seconds * 1000 : date - now;
  const delay = Number.isNaN(asked) ? 1000 * 2 ** (attempt - 1) : Math.max(0, asked);
  return delay > MAX_DELAY_MS ? undefined : delay;
}
