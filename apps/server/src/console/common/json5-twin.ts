import { isDeepStrictEqual } from "node:util";
import JSON5 from "json5";
import type { Violation } from "../../errors.ts";

export type JsonObject = { [key: string]: unknown };

/** A free-form object and its JSON5 text. The text may keep comments and quotes that the object cannot. */
export type Twin = { value: JsonObject; text: string };

type Place = { property: string; textProperty: string };

/** The deepest nesting in a text, so that its object fits into a body that is sent back. */
const MAX_DEPTH = 90;

/**
 * Keeps an object and its JSON5 text in step: whichever is given makes the other. If both are given they must mean the same, and
 * the text is kept as it was written. Where they do not, and one of them is what is `stored`, the other is the edit and makes both.
 * Undefined if neither is given.
 */
export function twin(
  place: Place,
  given: { value?: JsonObject | undefined; text?: string | undefined },
  violations: Violation[],
  stored?: Twin,
): Twin | undefined {
  const { value, text } = given;
  if (text === undefined) return value && fromValue(value, stored);
  const parsed = parseObject(place.textProperty, text, violations);
  if (!parsed) return undefined;
  if (value === undefined || isDeepStrictEqual(value, parsed)) return { value: value ?? parsed, text };
  if (stored && isDeepStrictEqual(value, stored.value)) return { value: parsed, text };
  if (stored && text === stored.text) return fromValue(value);
  violations.push(contradiction(place));
  return undefined;
}

/** What is wrong with an object and a text that do not mean the same. */
export function contradiction({ property, textProperty }: Place): Violation {
  return { property: textProperty, errorMessage: `must mean the same as ${property}. Omit one of them` };
}

/** The object that a JSON5 text means. Undefined, with a violation at `property`, if JSON has no such object. */
export function parseObject(property: string, text: string, violations: Violation[]): JsonObject | undefined {
  const refuse = (errorMessage: string) => void violations.push({ property, errorMessage });
  let value: unknown;
  try {
    value = JSON5.parse(text);
  } catch (error) {
    return refuse(`is not JSON5: ${(error as Error).message.replace(/^JSON5: /, "")}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return refuse("must be the JSON5 text of an object");
  const fault = faultOf(value);
  if (fault) return refuse(fault);
  // As JSON has it: without the sign of -0.
  return JSON.parse(JSON.stringify(value));
}

function fromValue(value: JsonObject, stored?: Twin): Twin {
  return { value, text: stored && isDeepStrictEqual(value, stored.value) ? stored.text : JSON.stringify(value) };
}

/** What JSON5 can write and this API cannot keep or answer. */
function faultOf(value: unknown, depth = 0): string | undefined {
  if (typeof value === "number" && !Number.isFinite(value)) return "must not contain Infinity or NaN, which JSON cannot represent";
  if (typeof value === "string" && value.includes("\0")) return "must not contain the character U+0000";
  if (typeof value !== "object" || value === null) return undefined;
  if (depth === MAX_DEPTH) return `must not be nested more than ${MAX_DEPTH} levels deep`;
  for (const [name, item] of Object.entries(value)) {
    const fault = faultOf(name) ?? faultOf(item, depth + 1);
    if (fault) return fault;
  }
  return undefined;
}
