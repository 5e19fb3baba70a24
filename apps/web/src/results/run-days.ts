// The days of an experiment's run, counted in one way everywhere. Pure.
import type { Schema } from "../api.ts";

export const DAY_MS = 86_400_000;

type Planned = Pick<Schema<"Experiment">, "startTime" | "duration">;
type Run = Planned & Pick<Schema<"Experiment">, "status" | "endTime">;

/** The number of the day, the first one being 1. @param now ms since the epoch */
const dayNumber = (startTime: number, now: number): number => Math.max(1, Math.ceil((now - startTime) / DAY_MS));

/** The day of a run beside the planned number of days: "Day 11 of 28". Empty before the start. @param now ms since the epoch */
export function dayOfRun({ startTime, duration }: Planned, now: number): string {
  if (startTime === null) return "";
  const day = dayNumber(startTime, now);
  if (duration <= 0) return `Day ${day}`;
  return day <= duration ? `Day ${day} of ${duration}` : `Day ${day} (${duration} planned)`;
}

/** The day of a running experiment, or the day on which it ended. Empty before the start. @param now ms since the epoch */
export function dayText(experiment: Run, now: number): string {
  const { status, endTime } = experiment;
  const day = dayOfRun(experiment, endTime ?? now);
  const isOver = endTime !== null && status !== "active" && status !== "assignment_stopped";
  return isOver && day !== "" ? `Ended on ${day.replace("Day", "day")}` : day;
}

/** The same with the days that a running experiment has left. @param now ms since the epoch */
export function runText(experiment: Run, now: number): string {
  const { status, startTime, duration } = experiment;
  const day = dayText(experiment, now);
  if (startTime === null || duration <= 0 || (status !== "active" && status !== "assignment_stopped")) return day;
  if (isPlannedEndReached(experiment, now)) return `${day}, planned end reached`;
  const left = duration - dayNumber(startTime, now);
  return `${day}, ${left === 0 ? "the last day" : `${left} ${left === 1 ? "day" : "days"} left`}`;
}

/** Whether a run has lasted as long as planned. @param now ms since the epoch */
export const isPlannedEndReached = ({ startTime, duration }: Planned, now: number): boolean =>
  startTime !== null && duration > 0 && startTime + duration * DAY_MS <= now;
