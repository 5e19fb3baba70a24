// The scorecard as a CSV file with exact numbers. Pure.

import { csvCell } from "../shell/csv.ts";
import { differenceInterval } from "./means.ts";
import { observedValue, type ScoreLine, type ScoreRow } from "./score-rows.ts";
import { unitOf, type ValueUnit } from "./units.ts";
import { liftInterval, verdictText } from "./verdicts.ts";

type Cell = string | number | undefined;
type Column = [name: string, value: (line: ScoreLine, row: ScoreRow, control: string) => Cell];

const COLUMNS: readonly Column[] = [
  ["role", (_, { role }) => role],
  ["metric_id", ({ metric }) => metric.metricID],
  ["metric", ({ metric }) => metric.metricName],
  ["unit", ({ metric }) => csvUnit(unitOf(metric))],
  ["control_group", (_line, _row, control) => control],
  ["group", ({ group }) => group.name],
  ["control_units", ({ metric }) => metric.controlUnits],
  ["units", ({ metric }) => metric.testUnits],
  ["control_value", ({ metric }) => observedValue("control", metric)],
  ["value", ({ metric }) => observedValue("test", metric)],
  ["change_percent", ({ metric }) => metric.percentChange],
  ["change_percent_lower", ({ metric }) => liftInterval(metric)?.[0]],
  ["change_percent_upper", ({ metric }) => liftInterval(metric)?.[1]],
  ["difference", ({ metric }) => metric.absoluteChange],
  ["difference_lower", ({ metric }) => differenceInterval(metric)?.[0]],
  ["difference_upper", ({ metric }) => differenceInterval(metric)?.[1]],
  ["p_value", ({ metric }) => metric.verdict?.pValue ?? metric.pValue],
  ["alpha", ({ metric }) => metric.alpha],
  ["verdict", ({ metric }) => verdictText(metric)],
  ["minimum_detectable_effect_percent", ({ metric }) => metric.percentMinimumDetectableEffect],
  ["guardrail_max_harm_percent", (_, { maxHarmPercent }) => maxHarmPercent],
];

/** The unit of exact values: a share of 0 to 1 isn't multiplied by 100. */
const csvUnit = (unit: ValueUnit): string => (unit === "percent" ? "fraction" : (unit ?? ""));

/** One line per metric and group. Values and differences have the unit in `unit`. */
export function scoreCsv(rows: readonly ScoreRow[], control: string): string {
  const lines = rows.flatMap((row) => row.lines.map((line) => COLUMNS.map(([, value]) => csvCell(value(line, row, control))).join(",")));
  return [COLUMNS.map(([name]) => name).join(","), ...lines, ""].join("\r\n");
}
