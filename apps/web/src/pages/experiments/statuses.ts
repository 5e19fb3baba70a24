// The statuses of experiments, which the address of their list knows. Pure.
import type { Schema } from "../../api.ts";

export const STATUSES = [
  "setup",
  "active",
  "assignment_stopped",
  "experiment_stopped",
  "decision_made",
  "abandoned",
  "archived",
] as const satisfies readonly Schema<"Experiment">["status"][];
