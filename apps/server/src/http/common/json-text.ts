import type { Violation } from "../../common/errors.ts";
import { shorten } from "../../common/place.ts";

const [QUOTE, BACKSLASH, COMMA, ZERO, NINE, E, BIG_E, PLUS, BLANK] = toCodes('"', "\\", ",", "0", "9", "e", "E", "+", " ");
const [OPEN_OBJECT, OPEN_ARRAY, CLOSE_OBJECT, CLOSE_ARRAY] = toCodes("{", "[", "}", "]");

function toCodes<Characters extends string[]>(...characters: Characters): { [Index in keyof Characters]: number } {
  return characters.map((character) => character.charCodeAt(0)) as { [Index in keyof Characters]: number };
}

/** After this many bytes of a string, `indexOf` skips the rest. */
const LONG_TEXT_LENGTH = 64;

type JsonScan = {
  /** The nesting depth of arrays and objects. */
  depth: number;
  /** The number of values: the root, and every item and property at any depth. */
  values: number;
  /** Whether it may have a number out of range: with more than 308 digits, or a three-digit exponent. */
  hasHugeNumber: boolean;
  /** Whether it may have an integer that a number cannot hold: 16 digits in a row. */
  hasLongNumber: boolean;
};

/** Scans a JSON text, which need not be valid, without parsing it. Stops beyond `maxValues`. */
export function scanJson(text: Buffer, maxValues = Number.POSITIVE_INFINITY): JsonScan {
  let deepest = 0;
  let values = 1;
  let hasHugeNumber = false;
  let hasLongNumber = false;
  let depth = 0;
  let digits = 0;
  let isExponent = false;
  let isString = false;
  let isOpened = false;
  let lookAhead = 0;
  let backslash = 0;
  for (let index = 0; index < text.length && values <= maxValues; index++) {
    const byte = text[index] as number;
    if (isString) {
      if (byte === BACKSLASH) index++;
      else if (byte === QUOTE) isString = false;
      else if (index > lookAhead) {
        // Skip a long string to its end or to the next backslash in it.
        if (backslash >= 0 && backslash < index) backslash = text.indexOf(BACKSLASH, index);
        const quote = text.indexOf(QUOTE, index);
        const end = quote < 0 ? text.length : quote;
        index = (backslash < 0 ? end : Math.min(end, backslash)) - 1;
        lookAhead = index + LONG_TEXT_LENGTH;
      }
      continue;
    }
    if (byte <= BLANK) continue;
    // A container that is not empty has one more value than commas.
    if (isOpened && byte !== CLOSE_OBJECT && byte !== CLOSE_ARRAY) values++;
    isOpened = false;
    if (byte >= ZERO && byte <= NINE) {
      digits++;
      if (digits > 15) hasLongNumber = true;
      if (digits > 308 || (isExponent && digits > 2)) hasHugeNumber = true;
      continue;
    }
    isExponent = byte === E || byte === BIG_E || (isExponent && byte === PLUS);
    digits = 0;
    if (byte === QUOTE) {
      isString = true;
      lookAhead = index + LONG_TEXT_LENGTH;
    } else if (byte === COMMA) values++;
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      isOpened = true;
      depth++;
      if (depth > deepest) deepest = depth;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth--;
  }
  return { depth: deepest, values, hasHugeNumber, hasLongNumber };
}

/** A violation for every string and property name with U+0000, and every number that parsed to infinity. */
export function findUnstorable(body: unknown): Violation[] {
  const violations: Violation[] = [];
  const refuse = (property: string, errorMessage: string) => violations.push({ property: property || "body", errorMessage });
  const scan = (value: unknown, place: string): void => {
    if (typeof value === "string" && value.includes("\0")) refuse(place, "must not contain the character U+0000");
    if (typeof value === "number" && !Number.isFinite(value)) refuse(place, "must not be larger than 1.8e308");
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index++) {
        if (mayBeUnstorable(value[index])) scan(value[index], `${place}[${index}]`);
      }
    } else if (typeof value === "object" && value !== null) {
      for (const [name, item] of Object.entries(value)) {
        const shown = shorten(name).replaceAll("\0", "\\u0000");
        const itemPlace = place ? `${place}.${shown}` : shown;
        if (name.includes("\0")) refuse(itemPlace, "must not have the character U+0000 in its name");
        scan(item, itemPlace);
      }
    }
  };
  scan(body, "");
  return violations;
}

/** A cheap test that saves computing the place of most items. */
function mayBeUnstorable(value: unknown): boolean {
  if (typeof value === "string") return value.includes("\0");
  return typeof value === "number" ? !Number.isFinite(value) : typeof value === "object";
}
