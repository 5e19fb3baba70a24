// Numbers as charts and texts show them.
import { formatNumber } from "../ui/number-text.ts";

/** A narrow no-break space: the number and its suffix stay on one line. */
const GAP = "\u202f";

const SUFFIXES = ["", "k", "M", "bn", "tn"];

const twoDecimals = (value: number): string => formatNumber(value, { maximumFractionDigits: 2 });

/** The whole number with its thousands separated, for tooltips and tables: 1,234,567. */
export const exact = (value: number): string => formatNumber(value, { maximumFractionDigits: 6 });

/** With so many decimals, 0 included: 0.0400. */
export const fixed = (value: number, decimals: number): string =>
  formatNumber(value, { minimumFractionDigits: decimals, maximumFractionDigits: decimals });

/** A change: +1.5, −20, 0. At most three significant digits. */
export const signed = (value: number): string => formatNumber(value, { maximumSignificantDigits: 3, signDisplay: "exceptZero" });

/** The sign of a change, to write before its size. Empty for 0. */
export const signOf = (change: number): string => (change > 0 ? "+" : change < 0 ? "−" : "");

/** A number that fits an axis or a legend: 950, 1.2 k, 3.46 M. At most three significant digits from 1,000 on. */
export function compact(value: number): string {
  let rounded = Number(Math.abs(value).toPrecision(3));
  if (rounded < 1_000) return twoDecimals(value);
  let power = 0;
  while (rounded >= 1_000 && power < SUFFIXES.length - 1) {
    rounded /= 1_000;
    power += 1;
  }
  const digits =
    rounded < 1_000 ? formatNumber(rounded, { maximumSignificantDigits: 3 }) : formatNumber(rounded, { maximumFractionDigits: 6 });
  return `${value < 0 ? "−" : ""}${digits}${GAP}${SUFFIXES[power]}`;
}

/** A percentage of 0 to 100 with up to two decimals. Only exact values show as 0 or 100: otherwise <0.01%, >99.99%. */
export function percentage(percent: number): string {
  if (percent > 0 && percent < 0.005) return "<0.01%";
  if (percent < 100 && percent >= 99.995) return ">99.99%";
  return `${twoDecimals(percent)}%`;
}

/** A part of a whole as a percentage. A whole of 0 has no shares: an en dash. */
export const share = (part: number, whole: number): string => (whole === 0 ? "–" : percentage((part / whole) * 100));

const singular = (noun: string): string => (noun === "people" ? "person" : noun.replace(/ies$/, "y").replace(/s$/, ""));

/** The noun in the number that fits: 1 check, 2 checks. */
export const counted = (count: number, noun: string): string => `${exact(count)} ${count === 1 ? singular(noun) : noun}`;

/** A text with a capital at its start, as titles have it. */
export const titled = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
