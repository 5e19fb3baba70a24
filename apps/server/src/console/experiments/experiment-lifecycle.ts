import type { Schema } from "@gatehouse/contract/console";
import type { Violation } from "../../common/errors.ts";
import { randomID } from "../../common/identifier.ts";
import { listed } from "../../common/words.ts";

type Experiment = Schema<"Experiment">;
export type Status = Experiment["status"];
type BeforeArchive = Experiment["statusBeforeArchive"];

/** The transitions of each step: the states before and after it. */
export const STEPS = {
  start: { setup: "active" },
  schedule_start: { setup: "setup" },
  enable_groups: { setup: "setup", active: "active", assignment_stopped: "assignment_stopped" },
  disable_groups: { setup: "setup", active: "active", assignment_stopped: "assignment_stopped" },
  stop_assignment: { active: "assignment_stopped" },
  stop_experiment: { active: "experiment_stopped", assignment_stopped: "experiment_stopped" },
  make_decision: { active: "decision_made", assignment_stopped: "decision_made", experiment_stopped: "decision_made" },
  abandon: { active: "abandoned", assignment_stopped: "abandoned", experiment_stopped: "abandoned" },
  reset: { active: "setup", assignment_stopped: "setup", experiment_stopped: "setup", decision_made: "setup", abandoned: "setup" },
  archive: {
    setup: "archived",
    assignment_stopped: "archived",
    experiment_stopped: "archived",
    decision_made: "archived",
    abandoned: "archived",
  },
  unarchive: { archived: "statusBeforeArchive" },
} satisfies Record<string, Partial<Record<Status, Status | "statusBeforeArchive">>>;

export type Step = keyof typeof STEPS;

/** The step that a change of `status` takes. */
const STEP_TO = {
  setup: "reset",
  active: "start",
  assignment_stopped: "stop_assignment",
  experiment_stopped: "stop_experiment",
  decision_made: "make_decision",
  abandoned: "abandon",
  archived: "archive",
} satisfies Record<Status, Step>;

/** The values that a reset gives to fields. */
export const RESET_FIELDS = {
  scheduledStartTime: null,
  startTime: null,
  assignmentStopTime: null,
  endTime: null,
  decisionTime: null,
  decisionReason: null,
  launchedGroupID: null,
} satisfies Partial<Experiment>;

/** The fields that a step sets, beside the status. */
const STEP_FIELDS: Partial<Record<Step, (experiment: Experiment, now: number) => Partial<Experiment>>> = {
  start: (_, now) => ({ startTime: now, scheduledStartTime: null }),
  stop_assignment: (_, now) => ({ assignmentStopTime: now }),
  stop_experiment: ended,
  make_decision: (experiment, now) => ({ decisionTime: now, ...ended(experiment, now) }),
  abandon: ended,
  reset: (_, now) => ({ ...RESET_FIELDS, resetTime: now, salt: randomID() }),
  archive: (experiment, now) => ({
    statusBeforeArchive: statusToRestore(experiment.status),
    scheduledStartTime: null,
    ...(experiment.startTime !== null && ended(experiment, now)),
  }),
  unarchive: () => ({ statusBeforeArchive: null }),
};

/** Whether units are assigned to groups in this state. Only then does the experiment hold buckets. */
export function isRunning(status: Status): boolean {
  return status === "active" || status === "assignment_stopped";
}

/** Takes a step. A step that is not possible in the current state is a violation. */
export function takeStep(experiment: Experiment, step: Step, now: number, violations: Violation[]): Experiment {
  const states: Partial<Record<Status, Status | "statusBeforeArchive">> = STEPS[step];
  const to = states[experiment.status];
  if (to === undefined) {
    const having = listed(Object.keys(states), "or");
    violations.push({ property: "status", errorMessage: `${step} is not possible in status ${experiment.status}, only in ${having}` });
    return experiment;
  }
  if (to === "decision_made" && experiment.launchedGroupID === null) {
    violations.push({ property: "launchedGroupID", errorMessage: "is required with status decision_made" });
  }
  const status = to === "statusBeforeArchive" ? (experiment.statusBeforeArchive ?? "setup") : to;
  return { ...experiment, status, ...STEP_FIELDS[step]?.(experiment, now) };
}

/**
 * Takes the step to the status in a change, unless it is the current one. A change cannot reset or unarchive: a body that was read earlier
 * must not undo later steps.
 */
export function stepTo(experiment: Experiment, status: Status, now: number, violations: Violation[]): Experiment {
  if (status === experiment.status) return experiment;
  const step = STEP_TO[status];
  if (step !== "reset") return takeStep(experiment, step, now, violations);
  const back = experiment.status === "archived" ? "unarchive" : "reset";
  violations.push({
    property: "status",
    errorMessage: `cannot change from ${experiment.status} to ${status}. Use ${back}Experiment instead`,
  });
  return experiment;
}

function ended({ endTime }: Experiment, now: number): Partial<Experiment> {
  return { endTime: endTime ?? now };
}

/**
 * The status that unarchiving restores; null means setup. Archiving frees the buckets, so a running experiment cannot simply continue.
 */
function statusToRestore(status: Status): BeforeArchive {
  if (status === "assignment_stopped") return "experiment_stopped";
  return status === "active" || status === "archived" ? null : status;
}
