import { closest, distance } from "fastest-levenshtein";
import type { Violation } from "../../common/errors.ts";
import { MAX_NAME_LENGTH, pointerSteps, toPlace } from "../../common/place.ts";
import { TIME_FORMAT, timeError } from "../../common/time-range.ts";

/** The value at a place of a request, which has its own steps only. */
export function valueAtPointer(root: unknown, steps: string[]): unknown {
  return steps.reduce((value: unknown, step) => (isOwn(value, step) ? value[step] : undefined), root);
}

function isOwn(value: unknown, name: string): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name);
}

/** An error of a validator: a JSON pointer into `{ body, query, path, headers }`, the message, and the schema's keyword. */
export type ValidatorError = { path: string; message: string; errorCode?: string };

/** Longer pointers are cut before parsing. In characters. */
const MAX_POINTER_LENGTH = 10_000;

/** The known names at a place, given as a pointer such as `["body", "rules", "0"]`. */
type KnownNames = (pointer: string[]) => string[];
/** What the request has at a place. */
type GivenValue = (pointer: string[]) => unknown;

/** The violations for the caller, each once: places as paths, and unknown names with the nearest known one. */
export function toViolations(errors: ValidatorError[], known: KnownNames, given: GivenValue): Violation[] {
  const violations = new Map<string, Violation>();
  const knownAt = remembered(known);
  for (const error of errors) {
    const violation = toViolation(error, knownAt, given);
    violations.set(JSON.stringify(violation), violation);
  }
  return [...violations.values()];
}

/** Caches known names, since many unknown names can be at one place. */
function remembered(known: KnownNames): KnownNames {
  const names = new Map<string, string[]>();
  return (pointer) => {
    const place = pointer.join("/");
    const found = names.get(place) ?? known(pointer);
    names.set(place, found);
    return found;
  };
}

/** The message for a name that the contract does not have at its place. */
export function unknownName(property: string, name: string, known: string[]): Violation {
  const nearest = known.length > 0 && name.length <= MAX_NAME_LENGTH ? closest(name, known) : undefined;
  const isNear = nearest !== undefined && distance(name, nearest) <= Math.max(2, name.length / 2);
  return { property, errorMessage: isNear ? `is unknown. Did you mean ${nearest}?` : "is unknown" };
}

function toViolation({ path, message, errorCode = "" }: ValidatorError, known: KnownNames, given: GivenValue): Violation {
  // Names can be a megabyte long, and there can be a hundred violations, so cut the pointer before parsing it.
  const pointer = pointerSteps(path.length > MAX_POINTER_LENGTH ? path.slice(0, MAX_POINTER_LENGTH) : path);
  const property = toPlace(pointer.slice(1)) || pointer[0] || "body";
  if (errorCode === "unevaluatedProperties") return unknownName(property, pointer.at(-1) ?? "", known(pointer.slice(0, -1)));
  if (errorCode === "required") return { property, errorMessage: "is required" };
  if (errorCode === "format" && message.includes(TIME_FORMAT))
    return { property, errorMessage: timeError(Number(given(pointer))) ?? message };
  // Of several types: `must be array,string,null`.
  return { property, errorMessage: errorCode === "type" ? message.replaceAll(",", " or ") : message };
}
