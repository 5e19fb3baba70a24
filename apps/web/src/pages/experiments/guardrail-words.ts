// The guardrails of an experiment, in words. Pure.
import type { Schema } from "../../api.ts";
import { type Guarded, limitsOf, NOT_CHECKED_YET, type ShownNumbers } from "../../guardrails/guardrail-words.ts";
import type { Experiment } from "./states.ts";

type Named = Pick<Experiment, "status" | "groups" | "controlGroupID" | "primaryMetrics" | "secondaryMetrics" | "otherMetrics">;

export const toGuarded = (experiment: Named): Guarded => ({
  metrics: [...experiment.primaryMetrics, ...experiment.secondaryMetrics, ...experiment.otherMetrics],
  part: "group",
  nameOfPart: (id) => experiment.groups.find((group) => group.id === id)?.name ?? id,
  whyUnseen: whyUnseen(experiment),
});

/** The harm that each guardrail allows, in percent by metric. */
export const guardrailLimits = (experiment: Named): ReadonlyMap<string, number> => limitsOf(toGuarded(experiment));

/** The numbers of a check or an alert, as tables show them. */
export const toShown = <Finding extends Schema<"ExperimentGuardrailFinding">>(finding: Finding): Finding & ShownNumbers => ({
  ...finding,
  partID: finding.groupID,
  testUnits: finding.testUnits,
  controlUnits: finding.controlUnits,
});

function whyUnseen({ status, groups, controlGroupID }: Named): string {
  if (status !== "active") return "Checked only while the experiment is running.";
  if (!groups.some(({ id, disabled }) => id !== controlGroupID && !disabled))
    return "Nothing to compare: only the control group is enabled.";
  return NOT_CHECKED_YET;
}
