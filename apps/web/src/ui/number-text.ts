import { LOCALE } from "./locale.ts";

const formats = new Map<string, Intl.NumberFormat>();

/** A number as every page shows it, with the sign “−” where it is negative. */
export function formatNumber(value: number, options: Intl.NumberFormatOptions = {}): string {
  const key = JSON.stringify(options);
  let format = formats.get(key);
  if (format === undefined) {
    format = new Intl.NumberFormat(LOCALE, options);
    formats.set(key, format);
  }
  return format.format(value).replace("-", "−");
}
