// Values of metrics in their units. Pure.
import { decimalsOf, formatNumber } from "../ui/number-text.ts";
import { decimalsFor, preciseChange, preciseText } from "./digits.ts";
import type { PulseMetric } from "./verdicts.ts";

/** `percent`: the number is a share of 1. An ISO 4217 code is a currency. Undefined: a plain number. */
export type ValueUnit = string | undefined;

/** The unit follows from the values. A metric without a unit has it. */
export const AUTOMATIC_UNIT = "automatic";

const SUFFIXES: Readonly<Record<string, string>> = { milliseconds: "ms", seconds: "s" };

/** Joins a number and its unit, which stay on one line. */
const GAP = "\u00a0";

const isCurrency = (unit: string): boolean => /^[A-Z]{3}$/.test(unit);

/** The unit of a metric's values: its own, or else percent for a rate, whose units all have 0 or 1. */
export function unitOf({ valueUnit = AUTOMATIC_UNIT, isProportion }: Pick<PulseMetric, "valueUnit" | "isProportion">): ValueUnit {
  if (valueUnit === AUTOMATIC_UNIT) return isProportion ? "percent" : undefined;
  return valueUnit === "none" ? undefined : valueUnit;
}

/** The unit of a metric's totals. The total of a rate is a count. */
export function unitOfTotal(metric: Pick<PulseMetric, "valueUnit" | "isProportion">): ValueUnit {
  const unit = unitOf(metric);
  return unit === "percent" ? undefined : unit;
}

/** A value with its unit, to the digits that its error justifies. */
export function valueText(value: number, error: number | undefined, unit: ValueUnit): string {
  if (unit === undefined) return preciseText(value, error);
  if (unit === "percent") return `${preciseText(100 * value, error === undefined ? undefined : 100 * error)}%`;
  if (isCurrency(unit)) return currencyText(value, error, unit);
  return `${preciseText(value, error)}${GAP}${SUFFIXES[unit] ?? unit}`;
}

/** A difference of two values with its sign and unit; of shares in percentage points. */
export function differenceText(value: number, error: number | undefined, unit: ValueUnit): string {
  if (unit === undefined) return preciseChange(value, error);
  if (unit === "percent") return `${preciseChange(100 * value, error === undefined ? undefined : 100 * error)}${GAP}pp`;
  if (isCurrency(unit)) return currencyText(value, error, unit, { signDisplay: "exceptZero" });
  return `${preciseChange(value, error)}${GAP}${SUFFIXES[unit] ?? unit}`;
}

/** The size of a difference, without a sign. */
export const differenceSize = (value: number, error: number | undefined, unit: ValueUnit): string =>
  differenceText(Math.abs(value), error, unit).replace("+", "");

/** Money has the currency's decimals, or more where the error justifies them. */
function currencyText(value: number, error: number | undefined, currency: string, given: Intl.NumberFormatOptions = {}): string {
  const style = { style: "currency", currency } as const;
  const usual = decimalsOf(style);
  const decimals = Math.max(usual, decimalsFor(error) ?? 0);
  return formatNumber(value, { ...style, ...given, minimumFractionDigits: usual, maximumFractionDigits: decimals });
}

/** Names of the units that can be chosen without a code. */
export const UNIT_NAMES = {
  automatic: "Automatic",
  none: "None",
  percent: "Percent",
  milliseconds: "Milliseconds",
  seconds: "Seconds",
} as const;

/** Whether the contract allows the unit. */
export const isUnit = (unit: ValueUnit): boolean => unit === undefined || unit in UNIT_NAMES || isCurrency(unit);

/** The name of a unit: a currency's in English. */
export function unitName(unit: string): string {
  const name = (UNIT_NAMES as Readonly<Record<string, string>>)[unit];
  if (name === undefined && !isCurrency(unit)) return unit;
  return name ?? `${new Intl.DisplayNames("en-US", { type: "currency" }).of(unit)} (${unit})`;
}
