import { HOUR } from "../common/hour.ts";

/** How long ago a check counts as lately, ms. */
export const LATELY = 7 * 24 * HOUR;

/** Whether a gate was checked lately; null where a gate is too young to tell. */
export function checkedLately(gate: { createdTime: number }, wasChecked: boolean, now: number): boolean | null {
  return wasChecked || now - gate.createdTime >= LATELY ? wasChecked : null;
}
