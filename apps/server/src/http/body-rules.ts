import { AppError, invalid, type Violation } from "../errors.ts";
import { findUnstorable, lookAt } from "./json-text.ts";

/** The largest body where the contract names no other, bytes. */
export const LARGEST_BODY = 2 ** 20;
/** The deepest nesting of arrays and objects. Deeper ones would overflow the stack of what walks them. */
const DEEPEST = 100;

/**
 * Whether a body may hold what cannot be kept as it is, told by its text before it is parsed.
 * @throws AppError invalid_request if it is nested too deeply
 */
export function mayBeUnstorable(text: Buffer): boolean {
  const { depth, hasHugeNumber } = lookAt(text);
  if (depth > DEEPEST) throw invalid([{ property: "body", errorMessage: `must not be nested more than ${DEEPEST} levels deep` }]);
  return hasHugeNumber || text.includes("\\u0000");
}

/** Names each place in a body of what cannot be kept: the character U+0000, a number beyond the largest. Undefined where there is none. */
export function refusalOfUnstorable(body: unknown): AppError | undefined {
  const violations: Violation[] = [];
  findUnstorable(body, "", violations);
  return violations.length > 0 ? invalid(violations) : undefined;
}

/** @param limit bytes */
export function tooLarge(limit: number): AppError {
  return new AppError("payload_too_large", `The body is larger than ${limit / 2 ** 20} MiB.`);
}

/** @param why what the parser says */
export function notJson(why: string): AppError {
  return new AppError("invalid_request", "The body is not valid JSON.", [{ property: "body", errorMessage: why }]);
}
