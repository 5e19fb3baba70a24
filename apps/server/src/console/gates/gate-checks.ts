import { HOUR_MS } from "../common/hour.ts";

/** A check within this time is recent. */
export const RECENT_CHECKS_MS = 7 * 24 * HOUR_MS;

/** Whether a gate was checked within RECENT_CHECKS_MS. Null if the gate is younger than that and unchecked. */
export function checkedLately(gate: { createdTime: number }, wasChecked: boolean, now: number): boolean | null {
  return wasChecked || now - gate.createdTime >= RECENT_CHECKS_MS ? wasChecked : null;
}
