// How long an experiment ran and has left, in words. Pure.
import type { Experiment } from "./states.ts";

const DAY_MS = 86_400_000;

type Run = Pick<Experiment, "status" | "startTime" | "endTime" | "duration">;

/** The days left of the plan while it runs, and the days that it ran later. @param now ms since the epoch */
export function daysText({ status, startTime, endTime, duration }: Run, now: number): string | undefined {
  if (startTime === null) return undefined;
  if (status !== "active" && status !== "assignment_stopped")
    return `Ran for ${counted(Math.floor(((endTime ?? now) - startTime) / DAY_MS))}`;
  const left = Math.ceil((startTime - now) / DAY_MS + duration);
  return left > 0 ? `${left} of ${counted(duration)} left` : "Planned end reached";
}

const counted = (days: number): string => `${days} ${days === 1 ? "day" : "days"}`;
