import { type Change, listChange } from "./change.ts";
import { equal } from "./equal.ts";
import { metricID, metricName } from "./metric-id.ts";
import { type Part, subject, text, toText, value } from "./parts.ts";
import type { Gate } from "./types.ts";

/** A metric of a gate or experiment. */
export type GuardedMetric = { name: string; type: string; guardrail?: { maxHarmPercent: number; pausesRollouts?: boolean } };
type Guardrail = NonNullable<GuardedMetric["guardrail"]>;

/** The field that has the metrics, and its label. Alerts of a gate can pause its rollouts. */
type MetricList = { field: string; label: string; hasRollouts: boolean };

const byID = (metrics: readonly GuardedMetric[]) => new Map(metrics.map((metric) => [metricID(metric), metric]));

/** Additions to a list of metrics and removals, then the changes of their guardrails. */
export function metricChanges(list: MetricList, before: readonly GuardedMetric[], after: readonly GuardedMetric[]): Change[] {
  const { field, label } = list;
  const [old, now] = [byID(before), byID(after)];
  const difference = listChange(before.map(metricName), after.map(metricName), Number.POSITIVE_INFINITY);
  const guardrails = after.flatMap((metric, index): Change[] => {
    const [from, to] = [old.get(metricID(metric))?.guardrail, metric.guardrail];
    if (equal(from ?? null, to ?? null)) return [];
    const parts = [subject(metricName(metric)), text(":"), ...guardrailChange(from, to, list)];
    return [{ kind: "changed", field: `${field}[${index}].guardrail`, parts }];
  });
  if (difference.length === 0 && (equal([...old.keys()], [...now.keys()]) || guardrails.length > 0)) return guardrails;
  const parts = difference.length === 0 ? [subject(label), text("in another order")] : [subject(label), text(":"), ...difference];
  return [{ kind: "changed", field, parts }, ...guardrails];
}

type Rollouts = Pick<MetricList, "hasRollouts">;

function guardrailChange(from: Guardrail | undefined, to: Guardrail | undefined, { hasRollouts }: Rollouts): Part[] {
  if (to === undefined) return [text("no guardrail any more")];
  const isNew = from === undefined || from.maxHarmPercent === to.maxHarmPercent;
  const most = isNew ? [amount(to)] : [amount(from), text("→"), amount(to)];
  const bound = [text("may get worse by"), ...most, text("at most")];
  if (!hasRollouts) return bound;
  const deed = to.pausesRollouts
    ? "an alert pauses rollouts"
    : `an alert ${from?.pausesRollouts ? "no longer pauses" : "does not pause"} rollouts`;
  return [...bound, text(`; ${deed}`)];
}

const amount = ({ maxHarmPercent }: Guardrail): Part => value(`${maxHarmPercent}%`);

/** The metrics with their guardrails, one per line. */
export function metricsText(metrics: readonly GuardedMetric[], rollouts: Rollouts): string {
  const lines = metrics.map((metric) => {
    const words = metric.guardrail && toText(guardrailChange(undefined, metric.guardrail, rollouts));
    return `${metricName(metric)}${words === undefined ? "" : `: ${words}`}`;
  });
  return lines.join("\n") || "None";
}

/** Effects of a gate's open alerts on its automated rollouts. */
export function pauseChanges(before: Gate["pausedBy"] = [], after: Gate["pausedBy"] = []): Change[] {
  const pause = ({ ruleID, metricID }: (typeof before)[number]) => `${metricID} of ${ruleID}`;
  const difference = listChange(before.map(pause), after.map(pause), Number.POSITIVE_INFINITY);
  if (difference.length === 0) return [];
  const parts =
    after.length === 0 ? [text("Automated rollouts resume")] : [subject("Automated rollouts are paused by"), text(":"), ...difference];
  return [{ kind: "changed", field: "pausedBy", parts }];
}
