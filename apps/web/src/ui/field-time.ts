// Times as fields have them, in the reader's zone. Pure.
import { isoTime } from "./iso-time.ts";

const MINUTE_MS = 60_000;

/** 2025-11-21T14:00: a time as fields with a date and a time have it. @param time milliseconds since the epoch */
export function localInput(time: number): string {
  return isoTime(time - new Date(time).getTimezoneOffset() * MINUTE_MS).slice(0, 16);
}

/** 2025-11-21: the day of a time as date fields have it. @param time milliseconds since the epoch */
export const localDay = (time: number): string => localInput(time).slice(0, 10);
