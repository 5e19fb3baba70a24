// Names and meanings of an experiment's states. Pure.
import type { Schema } from "../../api.ts";
import { dayOfRun, isPlannedEndReached } from "../../results/run-days.ts";
import { statusName } from "../../targeting/status-names.ts";
import type { Tone } from "../../ui/badge.tsx";
import { describeReach } from "./shipping-words.ts";
import { STATUSES } from "./statuses.ts";

export type Experiment = Schema<"Experiment">;
export type Status = Experiment["status"];

export const STATUS_NAMES = Object.fromEntries(STATUSES.map((status) => [status, statusName(status)])) as Record<Status, string>;

export const STATUS_TONES: Record<Status, Tone> = {
  setup: "off",
  active: "active",
  assignment_stopped: "active",
  experiment_stopped: "warn",
  decision_made: "good",
  abandoned: "off",
  archived: "archived",
};

/** The experiment's current activity and its next step. @param now ms since the epoch */
export function stateSentence(experiment: Experiment, now: number): string {
  const { status, groups, launchedGroupID, scheduledStartTime } = experiment;
  switch (status) {
    case "setup":
      return scheduledStartTime === null
        ? "Not started. Complete the checklist, then start it."
        : "Not started. It starts automatically at the scheduled time.";
    case "active":
      return isPlannedEndReached(experiment, now)
        ? `Planned end reached. ${dayOfRun(experiment, now)}. Ready to decide.`
        : `Running. ${dayOfRun(experiment, now)}.`;
    case "assignment_stopped":
      return "New users don’t count. Results continue for enrolled users until you end the experiment.";
    case "experiment_stopped":
      return "Ended without a decision. Ship a group, or abandon the experiment.";
    case "decision_made":
      return `Shipped ${groups.find(({ id }) => id === launchedGroupID)?.name ?? "a group"} to ${describeReach(experiment)}.`;
    case "abandoned":
      return "Ended without a winner.";
    case "archived":
      return "Archived. Unarchive it to change it.";
  }
}

/** Whether it has, or may have, results. */
export const hasStarted = ({ status }: Pick<Experiment, "status">): boolean => status !== "setup" && status !== "archived";

/** Whether units may be divided now, so that groups cannot be added, removed or resized. */
export const isRunning = ({ status }: Pick<Experiment, "status">): boolean => status === "active" || status === "assignment_stopped";
