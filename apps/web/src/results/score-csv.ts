// The scorecard as a CSV file with exact numbers. Pure.
import { differenceInterval } from "./means.ts";
import { observedValue, type ScoreLine, type ScoreRow } from "./score-rows.ts";
import { unitOf } from "./units.ts";
import { liftInterval, verdictText } from "./verdicts.ts";

type Cell = string | number | undefined;
type Column = [name: string, value: (line: ScoreLine, row: ScoreRow, control: string) => Cell];

const COLUMNS: readonly Column[] = [
  ["role", (_, { role }) => role],
  ["metric_id", ({ metric }) => metric.metricID],
  ["metric", ({ metric }) => metric.metricName],
  ["unit", ({ metric }) => unitOf(metric)],
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

/** One line per metric and group. Values have the unit in `unit`; a share in percent is a number of 0 to 1. */
export function scoreCsv(rows: readonly ScoreRow[], control: string): string {
  const lines = rows.flatMap((row) => row.lines.map((line) => COLUMNS.map(([, value]) => toCell(value(line, row, control))).join(",")));
  return [COLUMNS.map(([name]) => name).join(","), ...lines, ""].join("\r\n");
}

/** The characters that start a formula in spreadsheets, in any width, and the quote that marks a text as harmless. */
const RISKY = /^[=+\-@＝＋－＠\t\r\n']/;

/** A text that a spreadsheet would take for a formula begins with an apostrophe. */
function toCell(value: Cell): string {
  if (value === undefined) return "";
  if (typeof value === "number") return String(value);
  const text = RISKY.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
