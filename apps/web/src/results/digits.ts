// Numbers with as many digits as their errors justify. Pure.
import { formatNumber } from "../ui/number-text.ts";

const MOST_DECIMALS = 8;

/** The decimals that two significant digits of an error have. Undefined without an error. */
export function decimalsFor(error: number | undefined): number | undefined {
  if (error === undefined || !(error > 0) || !Number.isFinite(error)) return undefined;
  return Math.min(MOST_DECIMALS, Math.max(0, 1 - Math.floor(Math.log10(error))));
}

const SIGNED = { signDisplay: "exceptZero" } as const;

/** A number to the digits that its error justifies; to four significant ones without an error. */
export function preciseText(value: number, error: number | undefined): string {
  const decimals = decimalsFor(error);
  if (decimals === undefined) return formatNumber(value, { maximumSignificantDigits: 4 });
  return formatNumber(value, { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}

/** The same of a change, with its sign; to three significant digits without an error. */
export function preciseChange(value: number, error: number | undefined): string {
  const decimals = decimalsFor(error);
  if (decimals === undefined) return formatNumber(value, { maximumSignificantDigits: 3, ...SIGNED });
  return formatNumber(value, { minimumFractionDigits: decimals, maximumFractionDigits: decimals, ...SIGNED });
}

/** Half the width of an interval. */
export const halfWidth = (interval: readonly number[] | undefined): number | undefined => {
  const [lower, upper] = interval ?? [];
  return lower === undefined || upper === undefined ? undefined : (upper - lower) / 2;
};

/** A sum: whole numbers in full, others to two decimals. */
export const sumText = (value: number): string => formatNumber(value, { maximumFractionDigits: 2 });
