// Steps that an experiment can take, by status. Pure.
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
