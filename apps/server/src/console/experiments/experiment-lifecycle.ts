import type { Schema } from "@gatehouse/contract/console";
import type { Violation } from "../../errors.ts";

type Experiment = Schema<"Experiment">;
export type Status = Experiment["status"];
type Times = Partial<Pick<Experiment, "startTime" | "endTime" | "decisionTime">>;

/** The states that each state can be left for. */
const NEXT = {
  setup: ["active", "archived"],
  active: ["decision_made", "abandoned", "experiment_stopped", "assignment_stopped"],
  decision_made: ["archived"],
  abandoned: ["archived"],
  experiment_stopped: ["archived"],
  assignment_stopped: ["archived"],
  archived: [],
} satisfies Record<Status, Status[]>;

/** What the arrival in each state stamps. */
const STAMP = {
  setup: () => ({}),
  active: (now) => ({ startTime: now }),
  decision_made: (now) => ({ decisionTime: now, endTime: now }),
  abandoned: (now) => ({ endTime: now }),
  experiment_stopped: (now) => ({ endTime: now }),
  assignment_stopped: (now) => ({ endTime: now }),
  archived: () => ({}),
} satisfies Record<Status, (now: number) => Times>;

/** The experiment in another state. Its own state again is no step. */
export function step(experiment: Experiment, to: Status, now: number, violations: Violation[]): Experiment {
  const from = experiment.status;
  if (to === "decision_made" && experiment.launchedGroupID === null) {
    violations.push({ property: "launchedGroupID", errorMessage: "is required with status decision_made" });
  }
  if (to === from) return experiment;
  const next: Status[] = NEXT[from];
  if (!next.includes(to)) {
    const instead = next.length > 0 ? `only to ${next.join(" or ")}` : "nor to any other state";
    violations.push({ property: "status", errorMessage: `cannot go from ${from} to ${to}, ${instead}` });
  }
  return { ...experiment, status: to, ...STAMP[to](now) };
}
