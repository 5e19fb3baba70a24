// Numbers as people type them. Pure.

const MINUS = /^[-−–]/;
const NUMBER = /^(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
/** Marks of the writing direction, which some locales put before a sign. */
const DIRECTION = /[\u061c\u200e\u200f]/g;
const SPACES = /[\s\u00a0\u202f]/g;

/** Either of the marks that separate decimals, or groups of three digits. */
type Mark = "." | ",";

/**
 * The number in a text, with the decimal separator of the reader's locale. A mark that cannot separate groups of three digits
 * separates decimals in every locale, so 2,5 and 2.5 are the same. Undefined for other texts.
 */
export function parseNumber(text: string, locale: string): number | undefined {
  const trimmed = text.replace(DIRECTION, "").trim();
  const unsigned = trimmed.replace(MINUS, "").replace(/^\+/, "");
  const sign = MINUS.test(trimmed) ? -1 : 1;
  const plain = withoutGroups(unsigned, decimalMark(locale));
  if (plain === undefined || !NUMBER.test(plain)) return undefined;
  const number = sign * Number(plain);
  return Number.isFinite(number) ? (number === 0 ? 0 : number) : undefined;
}

/** The digits with a point before the decimals. Undefined if marks stand where none can. */
function withoutGroups(text: string, mark: Mark): string | undefined {
  const other: Mark = mark === "." ? "," : ".";
  const [whole = "", ...decimals] = text.split(mark);
  if (decimals.length > 1) return undefined;
  if (isGrouped(whole, other)) return [whole.replaceAll(other, "").replace(SPACES, ""), ...decimals].join(".");
  const isOnlyMark = decimals.length === 0 && whole.split(other).length === 2;
  return isOnlyMark ? whole.replace(other, ".") : undefined;
}

/** Whether the digits have no marks, or groups of three. */
function isGrouped(digits: string, mark: Mark): boolean {
  if (!digits.includes(mark) && !/[\s\u00a0\u202f]/.test(digits)) return true;
  const separator = mark === "." ? "\\." : ",";
  return new RegExp(`^[1-9]\\d{0,2}(?:(?:${separator}|[\\s\\u00a0\\u202f])\\d{3})+$`).test(digits);
}

function decimalMark(locale: string): Mark {
  const mark = new Intl.NumberFormat(locale, { numberingSystem: "latn" }).formatToParts(1.5).find(({ type }) => type === "decimal")?.value;
  return mark === "," ? "," : ".";
}

/** A number as the reader would type it. Empty for none. */
export function numberText(number: number, locale: string): string {
  if (Number.isNaN(number)) return "";
  return new Intl.NumberFormat(locale, { useGrouping: false, maximumFractionDigits: 20, numberingSystem: "latn" }).format(number);
}

/** Reads numbers as people in a locale type them, and writes numbers so that they are read as the same number. */
export const numberNotation = (locale: string) => ({
  read: (text: string) => parseNumber(text, locale),
  write: (number: number) => {
    const text = numberText(number, locale);
    return parseNumber(text, locale) === number ? text : String(number);
  },
});

export type NumberLimits = {
  minValue?: number | undefined;
  maxValue?: number | undefined;
  /** The number is a multiple of it. */
  step?: number | undefined;
  /** The most digits after the decimal separator. */
  decimals?: number | undefined;
  isOptional?: boolean | undefined;
};

/** The fault of a text as a number, if any. */
export function numberFault(text: string, limits: NumberLimits, locale: string): string | undefined {
  const { minValue, maxValue, step, isOptional } = limits;
  if (text.trim() === "") return isOptional ? undefined : "Enter a number.";
  const number = parseNumber(text, locale);
  if (number === undefined) return `“${text.trim()}” is not a number.`;
  const [least, most] = [minValue, maxValue].map((limit) => (limit === undefined ? undefined : numberText(limit, locale)));
  const isOutside = (minValue !== undefined && number < minValue) || (maxValue !== undefined && number > maxValue);
  if (isOutside && least !== undefined && most !== undefined) return `Enter a number from ${least} to ${most}.`;
  if (isOutside) return least === undefined ? `Enter a number of at most ${most}.` : `Enter a number of at least ${least}.`;
  const decimals = limits.decimals ?? (step === undefined ? undefined : decimalsOf(step));
  if (decimals === undefined || decimalsOf(number) <= decimals) return undefined;
  return decimals === 0 ? "Enter a whole number." : `Use at most ${decimals} decimal ${decimals === 1 ? "place" : "places"}.`;
}

function decimalsOf(number: number): number {
  const [digits = "", exponent = "0"] = String(number).split("e");
  return Math.max(0, (digits.split(".")[1] ?? "").length - Number(exponent));
}
