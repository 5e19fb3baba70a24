// Steps that an experiment can take, by status. Pure.
import { isPlannedEndReached } from "../../results/run-days.ts";
import type { Experiment, Status } from "./states.ts";

const RUNNING_OR_STOPPED: Status[] = ["active", "assignment_stopped", "experiment_stopped"];

/** The statuses that allow a step. Steps that are not listed are always possible. */
export const STEP_STATUSES: Readonly<Record<string, readonly Status[]>> = {
  start: ["setup"],
  schedule: ["setup"],
  decide: RUNNING_OR_STOPPED,
  "stop-assignment": ["active"],
  abandon: RUNNING_OR_STOPPED,
  reset: ["active", "assignment_stopped", "experiment_stopped", "decision_made", "abandoned"],
  archive: ["setup", "assignment_stopped", "experiment_stopped", "decision_made", "abandoned"],
};

/** The step that usually comes next. */
export const NEXT_STEPS: Readonly<Partial<Record<Status, string>>> = {
  setup: "start",
  active: "decide",
  assignment_stopped: "decide",
  experiment_stopped: "decide",
  archived: "unarchive",
};

type Run = Pick<Experiment, "status" | "startTime" | "duration">;

/** Whether a decision would come before the planned end, and no group is recommended. @param now ms since the epoch */
export function isDecisionEarly(experiment: Run, groups: readonly { recommendation: string }[], now: number): boolean {
  const runs = experiment.status === "active" || experiment.status === "assignment_stopped";
  return runs && !isPlannedEndReached(experiment, now) && !groups.some(({ recommendation }) => recommendation === "ship");
}

/** How many alerts are read. The newest come first. */
export const ALERTS_READ = 100;

/**
 * The group that is offered to ship first: a test group without an open alert, otherwise the control group.
 * @param alarmed ids of the groups with an open alert
 */
export function usualWinner(
  { groups, controlGroupID }: Pick<Experiment, "groups" | "controlGroupID">,
  alarmed: ReadonlySet<string>,
): string {
  const tests = groups.filter(({ id }) => id !== controlGroupID);
  const winner = tests.find(({ id }) => !alarmed.has(id ?? "")) ?? groups.find(({ id }) => id === controlGroupID) ?? tests[0];
  return winner?.id ?? "";
}
