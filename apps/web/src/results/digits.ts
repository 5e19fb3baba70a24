// Numbers with as many digits as their errors justify. Pure.

const MOST_DECIMALS = 8;

/** The decimals that two significant digits of an error have. Undefined without an error. */
export function decimalsFor(error: number | undefined): number | undefined {
  if (error === undefined || !(error > 0) || !Number.isFinite(error)) return undefined;
  return Math.min(MOST_DECIMALS, Math.max(0, 1 - Math.floor(Math.log10(error))));
}

const formats = new Map<string, Intl.NumberFormat>();

function format(value: number, options: Intl.NumberFormatOptions): string {
  const key = JSON.stringify(options);
  let found = formats.get(key);
  if (found === undefined) {
    found = new Intl.NumberFormat("en-GB", options);
    formats.set(key, found);
  }
  return found.format(value);
}

const SIGNED = { signDisplay: "exceptZero" } as const;

/** A number to the digits that its error justifies; to four significant ones without an error. */
export function preciseText(value: number, error: number | undefined): string {
  const decimals = decimalsFor(error);
  if (decimals === undefined) return format(value, { maximumSignificantDigits: 4 });
  return format(value, { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}

/** The same of a change, with its sign; to three significant digits without an error. */
export function preciseChange(value: number, error: number | undefined): string {
  const decimals = decimalsFor(error);
  if (decimals === undefined) return format(value, { maximumSignificantDigits: 3, ...SIGNED });
  return format(value, { minimumFractionDigits: decimals, maximumFractionDigits: decimals, ...SIGNED });
}

/** Half the width of an interval. */
export const halfWidth = (interval: readonly number[] | undefined): number | undefined => {
  const [lower, upper] = interval ?? [];
  return lower === undefined || upper === undefined ? undefined : (upper - lower) / 2;
};

/** A sum: whole numbers in full, others to two decimals. */
export const sumText = (value: number): string => format(value, { maximumFractionDigits: 2 });
