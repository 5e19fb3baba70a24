// The findings of guardrails in words, for all entities. Pure.
import type { Schema } from "../api.ts";
import type { GuardedMetric } from "../targeting/metric-changes.ts";
import { metricLabels, metricID as toMetricID } from "../targeting/metric-id.ts";

/** The compared part: the units that pass a rule of a gate with those that fail it, or a group of an experiment with the control group. */
export type GuardedPart = "rule" | "group";

/** An entity with guardrails, as tables show it. */
export type Guarded = {
  metrics: readonly GuardedMetric[];
  part: GuardedPart;
  /** The name of a rule or group, or its id if it is gone. */
  nameOfPart: (id: string) => string;
  /** Why no check found anything out about a guardrail. */
  whyUnseen: string;
};

/** The numbers of a check, with the same names for rules and groups and for both sides. */
export type ShownNumbers = Schema<"GuardrailNumbers"> & {
  partID: string;
  testUnits: number | undefined;
  controlUnits: number | undefined;
  /** Undefined for entities without rollouts. */
  pausesRollouts?: boolean;
};
export type ShownCheck = ShownNumbers & Schema<"GuardrailOutcome">;
export type ShownAlert = ShownNumbers & Schema<"GuardrailAlertState">;

/** The name of a metric, with its type if another metric of the list has this name. The list may have lost the metric. */
export const metricNameIn = (metrics: readonly GuardedMetric[], metricID: string): string =>
  metricLabels([...metrics.map(toMetricID), metricID])(metricID);

/** `holds`: no harm beyond the guardrail is certain. `unknown`: the last check was inconclusive, or has not run yet. */
export type GuardrailState = "holds" | "beyond" | "unknown";

export const STATE_NAMES: Readonly<Record<GuardrailState, string>> = {
  holds: "Within the limit",
  beyond: "Beyond its guardrail",
  unknown: "Not enough data",
};

export type GuardrailRow = {
  metricID: string;
  /** Undefined where no rule or group was compared. */
  partID: string | undefined;
  state: GuardrailState;
  /** The findings of the last check. Undefined before it. */
  check: ShownCheck | undefined;
  /** In percent, as it is set now. */
  maxHarmPercent: number;
  /** Undefined for entities without rollouts. */
  pausesRollouts: boolean | undefined;
  /** The reason for the lack of findings. */
  reason: string | undefined;
};

/** Each guardrail that is set now, for each rule or group that the last check compared. A metric of several lists is one. */
export function guardrailRows({ metrics, part, whyUnseen }: Omit<Guarded, "nameOfPart">, checks: readonly ShownCheck[]): GuardrailRow[] {
  const guards = new Map<string, Pick<GuardrailRow, "metricID" | "maxHarmPercent" | "pausesRollouts">>();
  for (const metric of metrics) {
    const { guardrail } = metric;
    if (!guardrail) continue;
    const [metricID, known] = [toMetricID(metric), guards.get(toMetricID(metric))];
    const maxHarmPercent = Math.min(guardrail.maxHarmPercent, known?.maxHarmPercent ?? guardrail.maxHarmPercent);
    const pausesRollouts = part === "rule" ? guardrail.pausesRollouts === true || known?.pausesRollouts === true : undefined;
    guards.set(metricID, { metricID, maxHarmPercent, pausesRollouts });
  }
  return [...guards.values()].flatMap((guard): GuardrailRow[] => {
    const found = checks.filter(({ metricID }) => metricID === guard.metricID);
    if (found.length === 0) return [{ ...guard, partID: undefined, state: "unknown", check: undefined, reason: whyUnseen }];
    return found.map((check) => ({ ...guard, partID: check.partID, state: guardrailState(check), check, reason: check.reason }));
  });
}

/** The harm that each guardrail allows, in percent by metric. */
export const limitsOf = (guarded: Guarded): ReadonlyMap<string, number> =>
  new Map(guardrailRows(guarded, []).map(({ metricID, maxHarmPercent }) => [metricID, maxHarmPercent]));

const guardrailState = ({ isBeyond, reason }: ShownCheck): GuardrailState =>
  reason !== undefined ? "unknown" : isBeyond ? "beyond" : "holds";

/** The reason for the lack of findings about a guardrail. */
export const NOT_CHECKED_YET = "Not checked since you set it. Checks run hourly.";
