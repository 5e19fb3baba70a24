// What guardrails found out and did, in words. Pure.
import type { Schema } from "../../api.ts";
import { metricID as idOf } from "../../targeting/metric-id.ts";

type Gate = Schema<"Gate">;
export type GuardrailLook = Schema<"GuardrailLook">;
export type GuardrailAlert = Schema<"GuardrailAlert">;
type Named = Pick<Gate, "rules" | "monitoringMetrics">;

/** The name of a metric that monitors a gate, or its id if it no longer does. */
export const metricNameIn = ({ monitoringMetrics }: Pick<Gate, "monitoringMetrics">, metricID: string): string =>
  monitoringMetrics.find((metric) => idOf(metric) === metricID)?.name ?? metricID;

/** The name of a rule, or its id if it is gone. */
export const ruleNameIn = ({ rules }: Pick<Gate, "rules">, ruleID: string): string =>
  rules.find(({ id, baseID }) => id === ruleID || baseID === ruleID)?.name ?? ruleID;

/** `holds`: nothing beyond the guardrail is certain. `unknown`: the last look could conclude nothing, or there was none. */
export type GuardrailState = "holds" | "beyond" | "unknown";

export const STATE_NAMES: Readonly<Record<GuardrailState, string>> = {
  holds: "No harm found",
  beyond: "Beyond its guardrail",
  unknown: "Not known yet",
};

export type GuardrailRow = {
  metricID: string;
  /** Undefined where no rule was compared. */
  ruleID: string | undefined;
  state: GuardrailState;
  /** What the last look found out. Undefined before one. */
  look: GuardrailLook | undefined;
  /** In percent, as the gate has it now. */
  maxHarmPercent: number;
  pausesRollouts: boolean;
  /** Why nothing is known yet. */
  reason: string | undefined;
};

/** Each guardrail that the gate has now, for each rule that the last look compared. */
export function guardrailRows(gate: Named & Pick<Gate, "status">, looks: readonly GuardrailLook[]): GuardrailRow[] {
  return gate.monitoringMetrics.flatMap((metric): GuardrailRow[] => {
    if (!metric.guardrail) return [];
    const metricID = idOf(metric);
    const shared = { metricID, maxHarmPercent: metric.guardrail.maxHarmPercent, pausesRollouts: metric.guardrail.pausesRollouts === true };
    const found = looks.filter((look) => look.metricID === metricID);
    if (found.length === 0) return [{ ...shared, ruleID: undefined, state: "unknown", look: undefined, reason: whyUnseen(gate) }];
    return found.map((look) => ({ ...shared, ruleID: look.ruleID, state: stateOf(look), look, reason: look.reason }));
  });
}

const stateOf = ({ isBeyond, reason }: GuardrailLook): GuardrailState => (reason !== undefined ? "unknown" : isBeyond ? "beyond" : "holds");

function whyUnseen({ status, rules }: Pick<Gate, "status" | "rules">): string {
  if (status !== "In Progress") return "The server looks only while the gate is in progress.";
  if (!rules.some(({ passPercentage }) => passPercentage > 0 && passPercentage < 100))
    return "No rule passes some units and fails others, so there is nothing to compare.";
  return "The server has not looked since it was set. It looks once an hour.";
}

/** Why the gate's automated rollouts are paused, and since when, ms since the epoch. Undefined if they are not. */
export function pauseOf(gate: Named & Pick<Gate, "pausedBy">): { since: number; causes: { metric: string; rule: string }[] } | undefined {
  const { pausedBy = [] } = gate;
  if (pausedBy.length === 0) return undefined;
  return {
    since: Math.min(...pausedBy.map(({ pausedTime }) => pausedTime)),
    causes: pausedBy.map(({ metricID, ruleID }) => ({ metric: metricNameIn(gate, metricID), rule: ruleNameIn(gate, ruleID) })),
  };
}

/** What happens to the gate's automated rollouts once the open alerts of a metric are resolved. */
export function afterResolving(gate: Named & Pick<Gate, "pausedBy">, metricID: string): string {
  const { pausedBy = [] } = gate;
  const left = pausedBy.filter((pause) => pause.metricID !== metricID).map((pause) => metricNameIn(gate, pause.metricID));
  if (left.length === pausedBy.length) return "It pauses no rollouts.";
  if (left.length === 0) return "Automated rollouts go on, each later by as long as the pause took.";
  return `Automated rollouts stay paused by ${[...new Set(left)].join(", ")}.`;
}
