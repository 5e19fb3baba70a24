// The guardrails of a gate, in words. Pure.
import type { Schema } from "../../api.ts";
import { type Guarded, metricNameIn, NOT_CHECKED_YET, type ShownNumbers } from "../../guardrails/guardrail-words.ts";

type Gate = Schema<"Gate">;
type Named = Pick<Gate, "rules" | "monitoringMetrics">;

/** The name of a rule, or its id if it is gone. */
const ruleNameIn = ({ rules }: Pick<Gate, "rules">, ruleID: string): string =>
  rules.find(({ id, baseID }) => id === ruleID || baseID === ruleID)?.name ?? ruleID;

export const toGuarded = (gate: Named & Pick<Gate, "status">): Guarded => ({
  metrics: gate.monitoringMetrics,
  part: "rule",
  nameOfPart: (id) => ruleNameIn(gate, id),
  whyUnseen: whyUnseen(gate),
});

/** The numbers of a check or an alert, as tables show them. */
export const toShown = <Finding extends Schema<"GuardrailFinding">>(finding: Finding): Finding & ShownNumbers => ({
  ...finding,
  partID: finding.ruleID,
  testUnits: finding.passingUnits,
  controlUnits: finding.failingUnits,
});

function whyUnseen({ status, rules }: Pick<Gate, "status" | "rules">): string {
  if (status !== "In Progress") return "Checked only while the gate is in progress.";
  if (!rules.some(({ passPercentage }) => passPercentage > 0 && passPercentage < 100))
    return "Nothing to compare: each rule passes all users or none.";
  return NOT_CHECKED_YET;
}

/** Why the gate's automated rollouts are paused, and since when, ms since the epoch. Undefined if they are not. */
export function findPause(gate: Named & Pick<Gate, "pausedBy">): { since: number; causes: { metric: string; rule: string }[] } | undefined {
  const { pausedBy = [], monitoringMetrics } = gate;
  if (pausedBy.length === 0) return undefined;
  return {
    since: Math.min(...pausedBy.map(({ pausedTime }) => pausedTime)),
    causes: pausedBy.map(({ metricID, ruleID }) => ({ metric: metricNameIn(monitoringMetrics, metricID), rule: ruleNameIn(gate, ruleID) })),
  };
}

/** The state of the gate's automated rollouts once the open alerts of a metric are resolved. */
export function afterResolving({ monitoringMetrics, pausedBy = [] }: Named & Pick<Gate, "pausedBy">, metricID: string): string {
  const left = pausedBy.filter((pause) => pause.metricID !== metricID).map((pause) => metricNameIn(monitoringMetrics, pause.metricID));
  if (left.length === pausedBy.length) return "Doesn’t pause rollouts.";
  if (left.length === 0) return "Automated rollouts resume, delayed by the length of the pause.";
  return `Automated rollouts stay paused by ${[...new Set(left)].join(", ")}.`;
}
