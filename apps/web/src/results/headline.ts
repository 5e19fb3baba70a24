// The conclusion of a scorecard: the number that matters, in words. Pure.
import { listed } from "../ui/list-text.ts";
import { halfWidth, preciseText } from "./digits.ts";
import { changeText, differenceInterval } from "./means.ts";
import type { ScoreGroup, ScoreLine, ScoreRow } from "./score-rows.ts";
import { differenceText, unitOf } from "./units.ts";
import { liftInterval, numberText, type PulseMetric, toVerdict, type Verdict, verdictText } from "./verdicts.ts";

const RANKS: Readonly<Record<Verdict, number>> = { better: 0, kept: 1, worse: 2, none: 3, unknown: 4 };

/** The most telling group of a row: the best one, or else a worse one. */
export const leadingLine = ({ lines }: ScoreRow): ScoreLine => leadingGroup(lines);

/** The same among the results of several groups for one metric. */
export function leadingGroup<Line extends { metric: PulseMetric }>([first, ...others]: readonly [Line, ...Line[]]): Line {
  const rank = ({ metric }: Line) => RANKS[toVerdict(metric)];
  const size = ({ metric }: Line) => Math.abs(metric.percentChange ?? metric.absoluteChange ?? 0);
  return others.reduce((best, line) => ((rank(line) - rank(best) || size(best) - size(line)) < 0 ? line : best), first);
}

/** The row that the conclusion is about: the first primary metric that has a verdict. Without primary metrics, the first shown effect. */
export function leadingRow(rows: readonly ScoreRow[]): ScoreRow | undefined {
  const primary = rows.filter(({ role }) => role === "primary");
  const candidates = primary.length > 0 ? primary : rows;
  const verdictOf = (row: ScoreRow) => toVerdict(leadingLine(row).metric);
  const shown = primary.length > 0 ? undefined : rows.find((row) => ["better", "worse"].includes(verdictOf(row)));
  return shown ?? candidates.find((row) => verdictOf(row) !== "unknown") ?? candidates[0];
}

/** Whether a metric's guardrail failed in a group. */
export type HasFailed = (metricID: string, groupID: string) => boolean;

/** The conclusion in a few sentences: the effect of the leading group, failed guardrails, the other groups, and metrics that got worse. */
export function headline(rows: readonly ScoreRow[], control: string, hasFailed: HasFailed = () => false): string {
  const row = leadingRow(rows);
  if (!row) return "";
  const line = leadingLine(row);
  const others = row.lines.filter((one) => one !== line);
  return [effectText(line, control), ...failedText(rows, hasFailed), ...othersText(others), ...worseText(rows, row, hasFailed)].join(" ");
}

const inSentence = (group: ScoreGroup): string => group.inSentence ?? group.name;

function effectText({ group, metric }: ScoreLine, control: string): string {
  const { metricName, verdict, sprt } = metric;
  const change = changeText(metric);
  if (verdict?.withheld !== undefined) return `Not enough data yet for ${metricName}.`;
  if (sprt?.decision === "open") return `Still testing ${metricName}. Change with ${inSentence(group)} so far: ${change}.`;
  switch (toVerdict(metric)) {
    case "unknown":
      return "No verdict yet.";
    case "none":
      return `No difference shown in ${metricName}. Observed change with ${inSentence(group)}: ${change}.`;
    case "kept":
      return `${group.name} isn’t more than ${numberText(verdict?.margin ?? 0)}% worse than ${control} in ${metricName}. Change: ${change}.`;
    case "better":
    case "worse":
      return shownEffect(metric, group.name, control);
  }
}

/** The effect of a group whose verdict is better or worse. */
function shownEffect(metric: PulseMetric, group: string, control: string): string {
  const { metricName, absoluteChange = 0, verdict } = metric;
  const decided = verdict?.absoluteChange ?? absoluteChange;
  // The change as of the planned end decided, and later data can have the other sign.
  if (decided > 0 !== absoluteChange > 0)
    return `${group} is ${toVerdict(metric)} than ${control} in ${metricName}, as decided at the planned end.`;
  const verb = absoluteChange > 0 ? "raised" : "lowered";
  return `${group} ${verb} ${metricName} by ${sizeText(metric)}, compared with ${control}.`;
}

/** Guardrails that failed, each with its group and its limit. */
function failedText(rows: readonly ScoreRow[], hasFailed: HasFailed): string[] {
  return rows.flatMap(({ metricID, metricName, maxHarmPercent, lines }) =>
    lines
      .filter(({ group }) => maxHarmPercent !== undefined && hasFailed(metricID, group.id))
      .map(({ group, metric }) => {
        const limit = `the limit is ${numberText(maxHarmPercent ?? 0)}%`;
        const { absoluteChange } = metric;
        if (absoluteChange === undefined) return `Guardrail failed: ${metricName} got worse with ${inSentence(group)}; ${limit}.`;
        const verb = absoluteChange > 0 ? "raised" : "lowered";
        return `Guardrail failed: ${group.name} ${verb} ${metricName} by ${sizeText(metric)}; ${limit}.`;
      }),
  );
}

/** The size of a change with its interval, without the sign of its direction. */
function sizeText(metric: PulseMetric): string {
  const { percentChange, absoluteChange = 0 } = metric;
  const isRelative = percentChange !== undefined;
  const interval = isRelative ? liftInterval(metric) : differenceInterval(metric);
  const error = halfWidth(interval);
  const toText = (value: number) =>
    isRelative ? `${preciseText(value, error)}%` : differenceText(value, error, unitOf(metric)).replace("+", "");
  const sign = absoluteChange < 0 ? -1 : 1;
  const bounds = interval?.map((bound) => sign * bound).sort((one, other) => one - other);
  const [lower, upper] = bounds ?? [];
  const size = toText(Math.abs(percentChange ?? absoluteChange));
  return lower === undefined || upper === undefined ? size : `${size} (${toText(lower)} to ${toText(upper)})`;
}

/** The verdicts of the other groups on the same metric, each with its groups. */
function othersText(lines: readonly ScoreLine[]): string[] {
  const verdicts = [...new Set(lines.map(({ metric }) => verdictText(metric)))];
  const namesWith = (verdict: string) => lines.filter(({ metric }) => verdictText(metric) === verdict).map(({ group }) => group.name);
  return verdicts.map((verdict) => `${verdict}: ${listed(namesWith(verdict))}.`);
}

/** Metrics other than the leading one that got worse, each with its groups. Failed guardrails have a sentence of their own. */
function worseText(rows: readonly ScoreRow[], leading: ScoreRow, hasFailed: HasFailed): string[] {
  const worse = rows.flatMap((row) => {
    const groups = row.lines
      .filter(({ group, metric }) => toVerdict(metric) === "worse" && !hasFailed(row.metricID, group.id))
      .map(({ group }) => group.name);
    return row === leading || groups.length === 0 ? [] : [`${row.metricName} (${listed(groups)})`];
  });
  return worse.length === 0 ? [] : [`Other metrics that got worse: ${listed(worse)}.`];
}
