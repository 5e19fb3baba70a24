import { closest, distance } from "fastest-levenshtein";
import type { Violation } from "../errors.ts";
import { pointerSteps, toPlace } from "../place.ts";

/** One error of the validator: a JSON pointer into `{ body, query, params, headers }` and what was found there. */
export type ValidatorError = { path: string; message: string; errorCode?: string };

/** Tells which names are known at a place, given as a pointer such as `["body", "rules", "0"]`. */
type KnownNames = (pointer: string[]) => string[];

/** The most violations that a caller is told of at once. */
const MOST = 1_000;

/** The validator's errors as the caller is told of them: places as paths, unknown names with the nearest known one, each once. */
export function toViolations(errors: ValidatorError[], known: KnownNames): Violation[] {
  const violations = new Map<string, Violation>();
  for (const error of errors) {
    const violation = toViolation(error, known);
    violations.set(JSON.stringify(violation), violation);
    if (violations.size === MOST) break;
  }
  return [...violations.values()];
}

/** What a name that the contract does not have at its place is refused with. */
export function unknownName(property: string, name: string, known: string[]): Violation {
  const nearest = known.length > 0 ? closest(name, known) : undefined;
  const isNear = nearest !== undefined && distance(name, nearest) <= Math.max(2, name.length / 2);
  return { property, errorMessage: isNear ? `is not known here. Did you mean ${nearest}?` : "is not known here" };
}

function toViolation({ path, message, errorCode = "" }: ValidatorError, known: KnownNames): Violation {
  if (message.startsWith("malformed uri")) return { property: "path", errorMessage: "is not valid percent-encoding" };
  const pointer = pointerSteps(path);
  const property = toPlace(pointer.slice(1)) || pointer[0] || "body";
  if (errorCode.startsWith("unevaluatedProperties")) return unknownName(property, pointer.at(-1) ?? "", known(pointer.slice(0, -1)));
  if (errorCode.startsWith("required")) return { property, errorMessage: "is required" };
  // Of several types: `must be array,string,null`.
  return { property, errorMessage: errorCode.startsWith("type") ? message.replaceAll(",", " or ") : message };
}
