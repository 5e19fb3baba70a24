import { isDeepStrictEqual } from "node:util";
import JSON5 from "json5";
import type { Violation } from "../../common/errors.ts";
import { findInexactIntegers, inexactError } from "../../common/inexact-integers.ts";

export type JsonObject = { [key: string]: unknown };

/** A free-form object and its JSON5 text, which keeps comments and formatting. */
export type Json5Source = { value: JsonObject; text: string };

type Place = { property: string; textProperty: string };

/** A request body may be nested little deeper, so an object that nests more could not be sent back. */
const MAX_DEPTH = 90;

/**
 * Derives an object from its JSON5 text, or the text from the object. If both are given, they must be equal in meaning, and the text is
 * kept as written. If they differ and one equals `stored`, the other is the edit and determines both. Undefined without either.
 */
export function json5Source(
  place: Place,
  given: { value?: JsonObject | undefined; text?: string | undefined },
  violations: Violation[],
  stored?: Json5Source,
): Json5Source | undefined {
  const { value, text } = given;
  if (text === undefined || (value && text === stored?.text)) return value && fromValue(value, stored);
  const parsed = parseObject(place.textProperty, text, violations);
  if (!parsed) return undefined;
  if (value === undefined || isDeepStrictEqual(value, parsed)) return { value: value ?? parsed, text };
  if (stored && isDeepStrictEqual(value, stored.value)) return { value: parsed, text };
  violations.push(contradiction(place));
  return undefined;
}

/** The violation for an object and a text that differ in meaning. */
export function contradiction({ property, textProperty }: Place): Violation {
  return { property: textProperty, errorMessage: `must mean the same as ${property}. Omit one of them` };
}

/** Parses a JSON5 text to an object. Undefined, with a violation at `property`, if it is not an object that JSON can represent. */
export function parseObject(property: string, text: string, violations: Violation[]): JsonObject | undefined {
  const refuse = (errorMessage: string) => void violations.push({ property, errorMessage });
  let value: unknown;
  try {
    value = parseJson5(text);
  } catch (error) {
    return refuse(`is not JSON5: ${(error as Error).message.replace(/^JSON5: /, "")}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return refuse("must be the JSON5 text of an object");
  const fault = findFault(value);
  if (fault) return refuse(fault);
  const inexact = findInexactIntegers(text, property);
  if (inexact.length > 0) {
    violations.push(...inexact.map((one) => ({ property: one.place, errorMessage: inexactError(one) })));
    return undefined;
  }
  // The round trip turns -0 into 0, since responses cannot show -0.
  return JSON.parse(JSON.stringify(value));
}

/** Most texts are JSON, which is JSON5 and is read many times as fast. @throws SyntaxError with the place, if it is no JSON5 */
function parseJson5(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return JSON5.parse(text);
  }
}

function fromValue(value: JsonObject, stored?: Json5Source): Json5Source {
  return { value, text: stored && isDeepStrictEqual(value, stored.value) ? stored.text : JSON.stringify(value) };
}

/** Rejects values that JSON5 allows and this API cannot store or return. */
function findFault(value: unknown, depth = 0): string | undefined {
  if (typeof value === "number" && !Number.isFinite(value)) return "must not contain Infinity or NaN, which JSON cannot represent";
  if (typeof value === "string" && value.includes("\0")) return "must not contain the character U+0000";
  if (typeof value !== "object" || value === null) return undefined;
  if (depth === MAX_DEPTH) return `must not be nested more than ${MAX_DEPTH} levels deep`;
  for (const [name, item] of Object.entries(value)) {
    const fault = findFault(name) ?? findFault(item, depth + 1);
    if (fault) return fault;
  }
  return undefined;
}
