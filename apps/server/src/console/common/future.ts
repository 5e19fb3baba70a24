import type { Violation } from "../../common/errors.ts";

/** Rejects a time that has passed. Both times are ms since the epoch. */
export function checkFuture(time: number, now: number, property: string, violations: Violation[]): void {
  if (time <= now) violations.push({ property, errorMessage: "must be in the future" });
}
