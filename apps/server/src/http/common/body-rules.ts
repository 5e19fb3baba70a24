import { AppError, invalid } from "../../common/errors.ts";
import { findInexactIntegers, inexactError } from "../../common/inexact-integers.ts";
import { findUnstorable, scanJson } from "./json-text.ts";

/** The deepest nesting of arrays and objects, so that recursive functions do not overflow the stack. */
const MAX_DEPTH = 100;

/**
 * Scans a body's text, and parses it if it is within bounds.
 * @param options.checksItems whether the handler rejects values that cannot be stored (U+0000, numbers out of range)
 * @param options.keepsIntegers whether to reject integers that a number cannot hold, instead of rounding them
 * @throws AppError payload_too_large if it has too many values; invalid_request if it is nested too deeply, is not JSON or cannot be stored
 */
export function parseBody(text: Buffer, maxValues: number, { checksItems = false, keepsIntegers = false } = {}): unknown {
  const { depth, values, hasHugeNumber, hasLongNumber } = scanJson(text, maxValues);
  if (values > maxValues) throw tooManyValues(maxValues);
  if (depth > MAX_DEPTH) throw invalid([{ property: "body", errorMessage: `must not be nested more than ${MAX_DEPTH} levels deep` }]);
  const body = parseJson(text);
  if (keepsIntegers && hasLongNumber) requireExact(text.toString());
  if (!checksItems && (hasHugeNumber || text.includes("\\u0000"))) requireStorable(body);
  return body;
}

function parseJson(text: Buffer): unknown {
  try {
    return JSON.parse(text.toString());
  } catch (error) {
    const errorMessage = (error as Error).message;
    throw new AppError("invalid_request", "The body is not valid JSON.", [{ property: "body", errorMessage }]);
  }
}

function requireExact(text: string): void {
  const found = findInexactIntegers(text);
  if (found.length > 0) throw invalid(found.map((one) => ({ property: one.place || "body", errorMessage: inexactError(one) })));
}

function requireStorable(body: unknown): void {
  const violations = findUnstorable(body);
  if (violations.length > 0) throw invalid(violations);
}

/** @throws AppError payload_too_large if a part of a larger body exceeds its own limits */
export function requireWithin(part: unknown, { maxBytes, maxValues }: { maxBytes: number; maxValues: number }): void {
  const text = Buffer.from(JSON.stringify(part));
  if (text.length > maxBytes) throw tooLarge(maxBytes);
  if (scanJson(text, maxValues).values > maxValues) throw tooManyValues(maxValues);
}

function tooManyValues(limit: number): AppError {
  return new AppError("payload_too_large", `The body has more than ${limit.toLocaleString("en")} values.`);
}

/** @param limit bytes */
export function tooLarge(limit: number): AppError {
  return new AppError("payload_too_large", `The body is larger than ${limit / 2 ** 20} MiB.`);
}
