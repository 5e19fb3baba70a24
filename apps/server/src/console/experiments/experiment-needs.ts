import type { Permission } from "@gatehouse/contract";
import { needsOfTagged } from "../common/needs.ts";
import type { Experiment } from "./experiment.ts";

/** What it takes to bring an experiment to a status, whichever operation does it. Archiving needs no more than a change. */
const NEEDED_FOR: Partial<Record<Experiment["status"], Permission>> = {
  setup: "reset_experiments",
  active: "start_experiments",
  decision_made: "launch_or_disable_configs",
  abandoned: "launch_or_disable_configs",
};

export function needsOfExperiment(before: Experiment | null, after: Experiment | null): Permission[] {
  const from = before?.status ?? "setup";
  const isMoved = after !== null && from !== after.status && from !== "archived";
  const needed = isMoved ? NEEDED_FOR[after.status] : undefined;
  return [...needsOfTagged(before, after), ...(needed === undefined ? [] : [needed])];
}
