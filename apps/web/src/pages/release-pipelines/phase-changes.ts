// Changes of the phases of a release pipeline, in words. Pure.

import { type Change, listChange } from "../../targeting/change.ts";
import { equal } from "../../targeting/equal.ts";
import { type GuardedMetric, metricChanges, metricsText } from "../../targeting/metric-changes.ts";
import { type Part, subject, text, toText, value } from "../../targeting/parts.ts";
import { ruleChanges } from "../../targeting/rule-changes.ts";
import { rulesText } from "../../targeting/sentences.ts";
import { listed } from "../../ui/list-text.ts";
import { durationInWords } from "../../ui/time-text.ts";
import type { PhaseParts } from "./phase-draft.ts";

const METRICS = { field: "guardrailMetrics", label: "guardrail metrics", hasRollouts: false };
const ARROW = text("→");

/** The changes from one list of phases to another. Phases are the same if their ids are. */
export function phaseChanges(before: readonly PhaseParts[], after: readonly PhaseParts[]): Change[] {
  const find = (list: readonly PhaseParts[], { id, name }: PhaseParts) =>
    list.find((one) => (id !== undefined && one.id !== undefined ? one.id === id : one.name === name));
  const changes = after.flatMap((phase, index): Change[] => {
    const old = find(before, phase);
    return old === undefined ? added(phase, index) : changesOf(old, phase, index);
  });
  const removed = before
    .filter((phase) => find(after, phase) === undefined)
    .map((phase): Change => ({ kind: "removed", field: "phases", parts: [...title(phase), text("removed")] }));
  const kept = after.filter((phase) => find(before, phase) !== undefined);
  const order = before.flatMap((phase) => find(kept, phase) ?? []);
  const isMoved = order.some((phase, index) => phase !== kept[index]);
  const moved: Change = {
    kind: "moved",
    field: "phases",
    parts: [text(`Phases in another order: ${listed(after.map(({ name }) => name))}`)],
  };
  return [...changes, ...removed, ...(isMoved ? [moved] : [])];
}

const title = ({ name }: Pick<PhaseParts, "name">): Part[] => [text("Phase"), subject(`“${name}”`)];

const approval = (isRequired: boolean) => (isRequired ? "needs approval before it begins" : "begins without approval");

/** A new phase: how long it lasts and what it needs, then its contents. */
function added(phase: PhaseParts, index: number): Change[] {
  const { timeIntervalMs, requiredReview } = phase;
  const words = [...title(phase), text("added: lasts"), value(durationInWords(timeIntervalMs)), text(`, ${approval(requiredReview)}`)];
  return [{ kind: "added", field: `phases[${index}]`, parts: words }, ...contentChanges(EMPTY, phase, index)];
}

const EMPTY: Pick<PhaseParts, "rules" | "guardrailMetrics" | "guardrailAlerts"> = { rules: [], guardrailMetrics: [], guardrailAlerts: [] };

function changesOf(old: PhaseParts, now: PhaseParts, index: number): Change[] {
  const change = (field: string, parts: Part[]): Change => ({ kind: "changed", field: `phases[${index}].${field}`, parts });
  const [from, to] = [value(durationInWords(old.timeIntervalMs)), value(durationInWords(now.timeIntervalMs))];
  return [
    ...(old.name === now.name ? [] : [change("name", [...title(old), text(": renamed to"), subject(`“${now.name}”`)])]),
    ...(old.timeIntervalMs === now.timeIntervalMs ? [] : [change("timeIntervalMs", [...title(now), text(": lasts"), from, ARROW, to])]),
    ...(old.requiredReview === now.requiredReview
      ? []
      : [change("requiredReview", [...title(now), text(`: ${approval(now.requiredReview)}`)])]),
    ...contentChanges(old, now, index),
  ];
}

/** The changes of the rules and the guardrails of a phase. */
function contentChanges(old: typeof EMPTY, now: PhaseParts, index: number): Change[] {
  const alerts = listChange(old.guardrailAlerts, now.guardrailAlerts, Number.POSITIVE_INFINITY);
  const isReordered = alerts.length === 0 && !equal(old.guardrailAlerts, now.guardrailAlerts);
  const words = isReordered ? [text("in another order")] : [text(":"), ...alerts];
  const changes: Change[] = [
    ...ruleChanges(old.rules, now.rules, { outcome: "release" }),
    ...metricChanges(METRICS, old.guardrailMetrics, now.guardrailMetrics),
    ...(alerts.length > 0 || isReordered
      ? [{ kind: "changed" as const, field: "guardrailAlerts", parts: [text("guardrail alerts"), ...words] }]
      : []),
  ];
  return changes.map((one) => ({ ...one, field: `phases[${index}].${one.field}`, parts: [...title(now), text(":"), ...one.parts] }));
}

/** Phases as numbered lines of text. */
export const phasesText = (phases: readonly PhaseParts[]): string =>
  phases
    .map(({ name, timeIntervalMs, requiredReview, rules, guardrailMetrics, guardrailAlerts }, index) =>
      [
        `${index + 1}. ${name}: lasts ${durationInWords(timeIntervalMs)}, ${approval(requiredReview)}`,
        rulesText(rules, "userID", "release"),
        ...guardrailLines(guardrailMetrics, guardrailAlerts),
      ].join("\n"),
    )
    .join("\n") || "No phases";

const guardrailLines = (metrics: readonly GuardedMetric[], alerts: readonly string[]): string[] => [
  ...(metrics.length > 0 ? [metricsText(metrics, METRICS)] : []),
  ...(alerts.length > 0 ? [`Alerts: ${toText([value(listed(alerts))])}`] : []),
];
