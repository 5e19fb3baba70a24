// The days of an experiment's run. Pure.
import type { Schema } from "../api.ts";

export const DAY_MS = 86_400_000;

type Run = Pick<Schema<"Experiment">, "startTime" | "duration">;

/** The day of a run, the first one being 1, beside the planned number of days. Empty before the start. @param now ms since the epoch */
export function dayOfRun({ startTime, duration }: Run, now: number): string {
  if (startTime === null) return "";
  const day = Math.floor((now - startTime) / DAY_MS) + 1;
  return duration > 0 ? `Day ${day} of ${duration}` : `Day ${day}`;
}

/** Whether a run has lasted as long as planned. @param now ms since the epoch */
export const isPlannedEndReached = ({ startTime, duration }: Run, now: number): boolean =>
  startTime !== null && duration > 0 && startTime + duration * DAY_MS <= now;
