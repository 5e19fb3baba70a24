import { closest, distance } from "fastest-levenshtein";
import type { Violation } from "../../common/errors.ts";
import { patternError } from "../../common/pattern-errors.ts";
import { MAX_NAME_LENGTH, pointerSteps, toPlace } from "../../common/place.ts";
import { TIME_FORMAT, timeError } from "../../common/time-range.ts";
import type { Places, Refusals } from "./known-names.ts";

/** An error of a validator: a JSON pointer into `{ body, query, path, headers }`, the message, and the schema's keyword. */
export type ValidatorError = { path: string; message: string; errorCode?: string };

/** Longer pointers are cut before parsing. In characters. */
const MAX_POINTER_LENGTH = 10_000;

/** The violations for the caller, each once: places as paths, and unknown names with the nearest known one. */
export function toViolations(errors: ValidatorError[], places: Places): Violation[] {
  const violations = new Map<string, Violation>();
  const remembering = { ...places, names: remembered(places.names) };
  for (const error of errors) {
    const violation = toViolation(error, remembering);
    violations.set(JSON.stringify(violation), violation);
  }
  return [...violations.values()];
}

/** Caches known names, since many unknown names can be at one place. */
function remembered(known: Places["names"]): Places["names"] {
  const names = new Map<string, string[]>();
  return (pointer) => {
    const place = pointer.join("/");
    const found = names.get(place) ?? known(pointer);
    names.set(place, found);
    return found;
  };
}

/** The message for a name that the contract does not have at its place, or refuses there. */
export function unknownName(property: string, name: string, known: string[], refused: Refusals = {}): Violation {
  if (Object.hasOwn(refused, name)) return notSupported(property, refused[name] ?? "");
  const nearest = known.length > 0 && name.length <= MAX_NAME_LENGTH ? closest(name, known) : undefined;
  const isNear = nearest !== undefined && distance(name, nearest) <= Math.max(2, name.length / 2);
  return { property, errorMessage: isNear ? `is unknown. Did you mean ${nearest}?` : "is unknown" };
}

/** Keywords that refuse a value as a whole. */
const VALUE_KEYWORDS = ["enum", "type", "maxItems"];

/** The reason why the contract refuses a value, by its text or as any other (`*`). */
function refusalOfValue(value: unknown, refused: Refusals): string | undefined {
  return typeof value === "string" && Object.hasOwn(refused, value) ? refused[value] : refused["*"];
}

function notSupported(property: string, reason: string): Violation {
  return { property, errorMessage: `is not supported: ${reason}` };
}

/** The requirement of each format in the contract. */
const FORMAT_ERRORS = {
  date: "must be a date such as 2025-11-30",
  "date-time": "must be a time such as 2025-11-30T12:00:00Z",
  email: "must be an email address",
  uri: "must be a URL such as https://example.com",
};

/** @param message `must match format "date"` */
function formatError(message: string): string {
  const format = Object.entries(FORMAT_ERRORS).find(([name]) => message.endsWith(`"${name}"`));
  return format?.[1] ?? message;
}

function toViolation({ path, message, errorCode = "" }: ValidatorError, { names, refusedNames, refusedValues, given }: Places): Violation {
  // Names can be a megabyte long, and there can be a hundred violations, so cut the pointer before parsing it.
  const pointer = pointerSteps(path.length > MAX_POINTER_LENGTH ? path.slice(0, MAX_POINTER_LENGTH) : path);
  const property = toPlace(pointer.slice(1)) || pointer[0] || "body";
  if (errorCode === "unevaluatedProperties") {
    const place = pointer.slice(0, -1);
    return unknownName(property, pointer.at(-1) ?? "", names(place), refusedNames(place));
  }
  const reason = VALUE_KEYWORDS.includes(errorCode) ? refusalOfValue(given(pointer), refusedValues(pointer)) : undefined;
  if (reason !== undefined) return notSupported(property, reason);
  if (errorCode === "required") return { property, errorMessage: "is required" };
  if (errorCode === "format" && message.includes(TIME_FORMAT))
    return { property, errorMessage: timeError(Number(given(pointer))) ?? message };
  if (errorCode === "format") return { property, errorMessage: formatError(message) };
  if (errorCode === "pattern") return { property, errorMessage: patternError(message) };
  // A value of several types: `must be array,string,null`.
  return { property, errorMessage: errorCode === "type" ? message.replaceAll(",", " or ") : message };
}
