/** Any value as text. Undefined for null, absent values and objects; an array becomes its JSON. */
export function text(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "number") return numeral(value);
  if (typeof value === "boolean") return value ? "true" : "false";
  return Array.isArray(value) ? JSON.stringify(value) : undefined;
}

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const INFINITE = /^([+-]?)inf(?:inity)?$/i;

/** A value as a number: numbers, decimal texts and texts for infinity. Undefined for others, such as booleans and empty texts. */
export function number(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value !== "string") return undefined;
  if (DECIMAL.test(value)) return Number(value);
  return INFINITE.test(value) ? Number(value.replace(INFINITE, "$1Infinity")) : undefined;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The sign and all digits of a number without an exponent, since ids are compared as texts. */
function numeral(value: number): string {
  const digits = Object.is(value, -0) ? "-0" : String(value);
  const [, sign, whole, fraction = "", exponent] = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(digits) ?? [];
  if (whole === undefined) return digits;
  const places = Number(exponent);
  if (places < 0) return `${sign}0.${"0".repeat(-places - 1)}${whole}${fraction}`;
  return `${sign}${whole}${fraction.padEnd(places, "0")}`;
}
