import { LOCALE } from "./locale.ts";

const formats = new Map<string, Intl.NumberFormat>();

function formatOf(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = JSON.stringify(options);
  let format = formats.get(key);
  if (format === undefined) {
    format = new Intl.NumberFormat(LOCALE, options);
    formats.set(key, format);
  }
  return format;
}

/** The most decimals that numbers of a style have, such as 2 for euros. */
export const decimalsOf = (options: Intl.NumberFormatOptions): number => formatOf(options).resolvedOptions().maximumFractionDigits ?? 2;

/** A number as every page shows it, with the sign “−” where it is negative. */
export const formatNumber = (value: number, options: Intl.NumberFormatOptions = {}): string =>
  formatOf(options).format(value).replace("-", "−");
