import type { Violation } from "../errors.ts";

const [QUOTE, BACKSLASH, OPEN_OBJECT, OPEN_ARRAY, CLOSE_OBJECT, CLOSE_ARRAY, ZERO, NINE, E, BIG_E, PLUS] = Buffer.from('"\\{[}]09eE+');

type Looks = {
  /** How deeply arrays and objects are nested. */
  depth: number;
  /** Whether it may hold a number beyond the largest: one of more than 308 digits or with an exponent of three. */
  hasHugeNumber: boolean;
};

/** What a text of JSON, which need not be valid, looks like before it is parsed. */
export function lookAt(text: Buffer): Looks {
  const looks = { depth: 0, hasHugeNumber: false };
  let depth = 0;
  let digits = 0;
  let isExponent = false;
  let isString = false;
  for (let index = 0; index < text.length; index++) {
    const byte = text[index] as number;
    if (isString) {
      if (byte === BACKSLASH) index++;
      else if (byte === QUOTE) isString = false;
      continue;
    }
    if (byte >= (ZERO as number) && byte <= (NINE as number)) {
      digits++;
      if (digits > 308 || (isExponent && digits > 2)) looks.hasHugeNumber = true;
      continue;
    }
    isExponent = byte === E || byte === BIG_E || (isExponent && byte === PLUS);
    digits = 0;
    if (byte === QUOTE) isString = true;
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) looks.depth = Math.max(looks.depth, ++depth);
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth--;
  }
  return looks;
}

/** The most places that are named. */
const MOST = 1_000;

/** Names every string and property name that holds U+0000, and every number too large to be one: the first thousand of them. */
export function findUnstorable(value: unknown, place: string, violations: Violation[]): void {
  if (violations.length >= MOST) return;
  const refuse = (errorMessage: string, property = place || "body") => violations.push({ property, errorMessage });
  if (typeof value === "string" && value.includes("\0")) refuse("must not contain the character U+0000");
  if (typeof value === "number" && !Number.isFinite(value)) refuse("must not be larger than 1.8e308");
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      if (mayBeUnstorable(value[index])) findUnstorable(value[index], `${place}[${index}]`, violations);
    }
  } else if (typeof value === "object" && value !== null) {
    for (const [name, item] of Object.entries(value)) {
      const shown = name.replaceAll("\0", "\\u0000");
      const itemPlace = place ? `${place}.${shown}` : shown;
      if (shown !== name && violations.length < MOST) refuse("must not have the character U+0000 in its name", itemPlace);
      findUnstorable(item, itemPlace, violations);
    }
  }
}

/** Spares the place of each of millions of items. */
function mayBeUnstorable(value: unknown): boolean {
  if (typeof value === "string") return value.includes("\0");
  return typeof value === "number" ? !Number.isFinite(value) : typeof value === "object";
}
