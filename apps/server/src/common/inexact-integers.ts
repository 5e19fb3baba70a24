import { toPlace } from "./place.ts";

/** An integer of a text that a number can't hold, and its place. */
export type InexactInteger = { place: string; literal: string };

/** The most that are returned. */
const MAX_FOUND = 100;
/** Only integers with so many digits can be inexact. */
const LONG_INTEGER = /\d{16}|0x[\da-f]{14}/i;
const INTEGER = /^[+-]?(?:0x[\da-f]+|\d+)$/i;
/** Comments, texts, brackets and separators, and words such as numbers and names. JSON is a part of JSON5. */
const TOKEN = /\/\/[^\n\r\u2028\u2029]*|\/\*[\s\S]*?\*\/|"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\])*'|[[\]{}:,]|[^\s[\]{}:,"'/]+/g;

/** The scan's place in an array or object. */
type Frame = { index: number; key: string | undefined };

/** The integers of a valid text of JSON or JSON5 whose value would change, in their order. The first hundred at most. */
export function findInexactIntegers(text: string, start = ""): InexactInteger[] {
  if (!LONG_INTEGER.test(text)) return [];
  const found: InexactInteger[] = [];
  const open: Frame[] = [];
  let last = "";
  const check = () => {
    if (isInexact(last))
      found.push({
        place: toPlace(
          open.map(({ key, index }) => key ?? `${index}`),
          start,
        ),
        literal: last,
      });
    last = "";
  };
  for (const [token] of text.matchAll(TOKEN)) {
    const frame = open.at(-1);
    if (token.startsWith("//") || token.startsWith("/*")) continue;
    if (token === "{" || token === "[") open.push({ index: 0, key: undefined });
    else if (token === ":") {
      if (frame) frame.key = unquoted(last);
      last = "";
    } else if (token === "," || token === "]" || token === "}") {
      check();
      if (token !== ",") open.pop();
      else if (frame) frame.index++;
    } else last = token;
    if (found.length === MAX_FOUND) return found;
  }
  check();
  return found;
}

/** Whether a literal of JSON or JSON5 is an integer that is neither kept nor written again as it is. */
function isInexact(literal: string): boolean {
  if (literal.length < 16 || !INTEGER.test(literal)) return false;
  const digits = literal.replace(/^[+-]/, "");
  const number = Number(digits);
  if (!Number.isFinite(number)) return true;
  return String(number) !== digits && BigInt(number) !== BigInt(digits);
}

/** The reason for a caller. */
export function inexactError({ literal }: InexactInteger): string {
  return `must not have the integer ${literal.slice(0, 40)}, since numbers keep integers up to 9007199254740991. Send it as a string`;
}

function unquoted(key: string): string {
  return /^["']/.test(key) ? key.slice(1, -1) : key;
}
