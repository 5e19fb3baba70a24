// The states of guardrails as badges of a scorecard. Pure.
import type { GuardrailBadge } from "../results/score-table.tsx";
import { STATE_TONES } from "./guardrail-table.tsx";
import { type Guarded, guardrailRows, type ShownCheck, STATE_NAMES } from "./guardrail-words.ts";

/** The state of a metric's guardrail for a rule or group. Undefined where the last check did not compare it. */
export function guardrailBadges(guarded: Guarded, checks: readonly ShownCheck[]) {
  const rows = guardrailRows(guarded, checks);
  return (metricID: string, partID: string): GuardrailBadge | undefined => {
    const row = rows.find((one) => one.metricID === metricID && one.partID === partID);
    if (!row || row.state === "unknown") return undefined;
    return { hasFailed: row.state === "beyond", tone: STATE_TONES[row.state], text: STATE_NAMES[row.state] };
  };
}
