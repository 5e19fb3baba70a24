import type { Schema } from "@gatehouse/contract/console";
import type { Violation } from "../../errors.ts";
import { randomID } from "../common/identifier.ts";

type Experiment = Schema<"Experiment">;
export type Status = Experiment["status"];
type BeforeArchive = Experiment["statusBeforeArchive"];

/** Each step with the states that have it, and the state that it leads to. */
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

/** The step that a change of the status takes. */
const STEP_TO = {
  setup: "reset",
  active: "start",
  assignment_stopped: "stop_assignment",
  experiment_stopped: "stop_experiment",
  decision_made: "make_decision",
  abandoned: "abandon",
  archived: "archive",
} satisfies Record<Status, Step>;

/** The fields that a reset sets. */
export const RESET_FIELDS = {
  scheduledStartTime: null,
  startTime: null,
  endTime: null,
  decisionTime: null,
  decisionReason: null,
  launchedGroupID: null,
} satisfies Partial<Experiment>;

/** What a step stamps, beside the state. */
const STAMP: Partial<Record<Step, (experiment: Experiment, now: number) => Partial<Experiment>>> = {
  start: (_, now) => ({ startTime: now, scheduledStartTime: null }),
  stop_assignment: ended,
  stop_experiment: ended,
  make_decision: (experiment, now) => ({ decisionTime: now, ...ended(experiment, now) }),
  abandon: ended,
  reset: () => ({ ...RESET_FIELDS, salt: randomID() }),
  archive: ({ status }) => ({ statusBeforeArchive: returnTo(status), scheduledStartTime: null }),
  unarchive: () => ({ statusBeforeArchive: null }),
};

const OR = new Intl.ListFormat("en-GB", { type: "disjunction" });

/** Whether units are in the groups of an experiment in this state, so that it holds buckets. */
export function isRunning(status: Status): boolean {
  return status === "active" || status === "assignment_stopped";
}

/** The experiment one step on. A step that its state does not have is a violation that names both. */
export function takeStep(experiment: Experiment, step: Step, now: number, violations: Violation[]): Experiment {
  const states: Partial<Record<Status, Status | "statusBeforeArchive">> = STEPS[step];
  const to = states[experiment.status];
  if (to === undefined) {
    const having = OR.format(Object.keys(states));
    violations.push({ property: "status", errorMessage: `${step} is not possible in status ${experiment.status}, only in ${having}` });
    return experiment;
  }
  if (to === "decision_made" && experiment.launchedGroupID === null) {
    violations.push({ property: "launchedGroupID", errorMessage: "is required with status decision_made" });
  }
  const status = to === "statusBeforeArchive" ? (experiment.statusBeforeArchive ?? "setup") : to;
  return { ...experiment, status, ...STAMP[step]?.(experiment, now) };
}

/**
 * The experiment in the state that a change names. Its own state again is no step. The ways back, reset and unarchive, are not taken: a body
 * that was read before the experiment went on must not undo that.
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

/** One whose assignment was stopped gives its buckets away, so that its units cannot come back to their groups. */
function returnTo(status: Status): BeforeArchive {
  if (status === "assignment_stopped") return "experiment_stopped";
  return status === "active" || status === "archived" ? null : status;
}
