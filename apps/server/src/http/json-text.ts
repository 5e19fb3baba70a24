import type { Violation } from "../errors.ts";

const [QUOTE, BACKSLASH, OPEN_OBJECT, OPEN_ARRAY, CLOSE_OBJECT, CLOSE_ARRAY] = Buffer.from('"\\{[}]');

/** How deeply arrays and objects are nested in a text of JSON, which need not be valid. */
export function nesting(text: Buffer): number {
  let depth = 0;
  let deepest = 0;
  let isString = false;
  for (let index = 0; index < text.length; index++) {
    const byte = text[index];
    if (isString) {
      if (byte === BACKSLASH) index++;
      else if (byte === QUOTE) isString = false;
    } else if (byte === QUOTE) isString = true;
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) deepest = Math.max(deepest, ++depth);
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth--;
  }
  return deepest;
}

/** Names every string and every property name that holds U+0000. */
export function findNul(value: unknown, place: string, violations: Violation[]): void {
  if (typeof value === "string" && value.includes("\0")) {
    violations.push({ property: place || "body", errorMessage: "must not contain the character U+0000" });
  }
  if (typeof value !== "object" || value === null) return;
  for (const [name, item] of Object.entries(value)) {
    const shown = name.replaceAll("\0", "\\u0000");
    const itemPlace = Array.isArray(value) ? `${place}[${name}]` : place ? `${place}.${shown}` : shown;
    if (shown !== name) violations.push({ property: itemPlace, errorMessage: "must not have the character U+0000 in its name" });
    findNul(item, itemPlace, violations);
  }
}
