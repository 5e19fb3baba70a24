import { isRuleEnabled } from "../common/rule.ts";
import type { Experiment } from "../experiments/experiment.ts";
import type { Gate } from "../gates/gate.ts";
import { measuresUnits } from "../gates/gate.ts";
import type { Holdout } from "../holdouts/holdout.ts";

/** A running comparison of units by their events. */
export type RunningAnalysis = { projectID: string; id: string; idType: string; createdTime: number } & (
  | { type: "experiment" }
  /** `ruleID` null means every rule. The percentage is that of units that pass. */
  | { type: "gate" | "holdout"; ruleID: string | null; passPercentage: number }
);

/** The states of an experiment that has started and awaits a decision. */
export const UNDECIDED: Experiment["status"][] = ["active", "assignment_stopped", "experiment_stopped"];

/** A gate compares the units of each enabled rule that passes some and fails others. */
export function analysesOfGate(projectID: string, gate: Gate): RunningAnalysis[] {
  const { id, idType, status, rules, createdTime } = gate;
  if (status !== "In Progress" || !measuresUnits(gate)) return [];
  return rules
    .filter((rule) => isRuleEnabled(rule) && rule.passPercentage > 0 && rule.passPercentage < 100)
    .map(({ passPercentage, ...rule }) => ({
      projectID,
      type: "gate",
      id,
      idType,
      createdTime,
      ruleID: rule.id || rule.name,
      passPercentage,
    }));
}

export function analysesOfHoldout(projectID: string, { id, idType, isEnabled, passPercentage, createdTime }: Holdout): RunningAnalysis[] {
  if (!isEnabled || passPercentage === 0) return [];
  return [{ projectID, type: "holdout", id, idType, createdTime, ruleID: null, passPercentage }];
}
