import type { Permission } from "@gatehouse/contract";
import { needsOfTagged } from "../common/needs.ts";
import type { Experiment } from "./experiment.ts";
import { isRunning } from "./experiment-lifecycle.ts";

const END: Permission = "launch_or_disable_configs";

/** The permission for a change to a status, in every operation. Archiving needs only the permission for changes. */
const NEEDED_FOR: Partial<Record<Experiment["status"], Permission>> = {
  setup: "reset_experiments",
  active: "start_experiments",
  decision_made: END,
  abandoned: END,
};

export function needsOfExperiment(before: Experiment | null, after: Experiment | null): Permission[] {
  const from = before?.status ?? "setup";
  const isMoved = after !== null && from !== after.status && from !== "archived";
  const needed = isMoved ? NEEDED_FOR[after.status] : undefined;
  // Units would stop getting its values, as if it was abandoned.
  const isEnded = before !== null && after === null && isRunning(before.status);
  return [...needsOfTagged(before, after), ...(needed === undefined ? [] : [needed]), ...(isEnded ? [END] : [])];
}
