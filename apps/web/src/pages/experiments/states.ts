// Names and meanings of an experiment's states. Pure.
import type { Schema } from "../../api.ts";
import type { Tone } from "../../ui/badge.tsx";

export type Experiment = Schema<"Experiment">;
export type Status = Experiment["status"];

export const STATUSES = [
  "setup",
  "active",
  "assignment_stopped",
  "experiment_stopped",
  "decision_made",
  "abandoned",
  "archived",
] as const satisfies readonly Status[];

export const STATUS_NAMES: Record<Status, string> = {
  setup: "In set-up",
  active: "Running",
  assignment_stopped: "No new units",
  experiment_stopped: "Stopped",
  decision_made: "Decided",
  abandoned: "Abandoned",
  archived: "Archived",
};

export const STATUS_TONES: Record<Status, Tone> = {
  setup: "off",
  active: "active",
  assignment_stopped: "active",
  experiment_stopped: "warn",
  decision_made: "good",
  abandoned: "off",
  archived: "archived",
};

const DAY_MS = 86_400_000;

/** The experiment's current activity and its next step. @param now ms since the epoch */
export function stateSentence(experiment: Experiment, now: number): string {
  const { status, startTime, duration, groups, launchedGroupID, scheduledStartTime } = experiment;
  switch (status) {
    case "setup":
      return scheduledStartTime === null
        ? "Nobody takes part yet. Start it when the list below is complete."
        : "Nobody takes part yet. The server starts it at the scheduled time.";
    case "active": {
      const days = Math.floor((now - (startTime ?? now)) / DAY_MS);
      const planned = duration ?? 14;
      return days < planned
        ? `It has divided units for ${counted(days, "day")}, of ${planned} planned.`
        : `It has run as long as planned: ${counted(days, "day")}. Decide which group ships.`;
    }
    case "assignment_stopped":
      return "No new users count. Results go on for users who already count, until you end the experiment.";
    case "experiment_stopped":
      return "It ended without a decision so far. Decide which group ships, or abandon it.";
    case "decision_made":
      return `${groups.find(({ id }) => id === launchedGroupID)?.name ?? "A group"} ships: everybody gets its values.`;
    case "abandoned":
      return "It ended, and no group ships.";
    case "archived":
      return "It is archived, and cannot be changed.";
  }
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** Whether units may be divided now, so that groups cannot be added, removed or resized. */
export const isRunning = ({ status }: Pick<Experiment, "status">): boolean => status === "active" || status === "assignment_stopped";
