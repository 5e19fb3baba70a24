import { isDeepStrictEqual } from "node:util";
import JSON5 from "json5";
import type { Violation } from "../../errors.ts";

type JsonObject = { [key: string]: unknown };

/** A free-form object and its JSON5 text. The text may keep comments and quotes that the object cannot. */
export type Twin = { value: JsonObject; text: string };

/**
 * Keeps an object and its JSON5 text in step: whichever is given makes the other. If both are given they must mean the same, and
 * the text is kept as it was written. Undefined if neither is given.
 */
export function twin(
  place: { property: string; textProperty: string },
  given: { value?: JsonObject | undefined; text?: string | undefined },
  violations: Violation[],
): Twin | undefined {
  const { value, text } = given;
  if (text === undefined) return value && { value, text: JSON.stringify(value) };
  const parsed = parse(place.textProperty, text, violations);
  if (!parsed) return undefined;
  if (value && !isDeepStrictEqual(value, parsed)) {
    violations.push({ property: place.textProperty, errorMessage: `must mean the same as ${place.property}` });
  }
  return { value: parsed, text };
}

function parse(property: string, text: string, violations: Violation[]): JsonObject | undefined {
  try {
    const value: unknown = JSON5.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as JsonObject;
    violations.push({ property, errorMessage: "must be the JSON5 text of an object" });
  } catch (error) {
    violations.push({ property, errorMessage: `is not JSON5: ${(error as Error).message.replace(/^JSON5: /, "")}` });
  }
  return undefined;
}
