import { closest, distance } from "fastest-levenshtein";
import type { Violation } from "../../errors.ts";
import { MAX_NAME_LENGTH, pointerSteps, toPlace } from "../../place.ts";

/** One error of a validator: a JSON pointer into `{ body, query, path, headers }`, what was found there, and the keyword of the schema. */
export type ValidatorError = { path: string; message: string; errorCode?: string };

/** The longest pointer that is parsed, characters. */
const MAX_POINTER_LENGTH = 10_000;

/** Tells which names are known at a place, given as a pointer such as `["body", "rules", "0"]`. */
type KnownNames = (pointer: string[]) => string[];

/** The violations as the caller receives them: places as paths, unknown names with the nearest known one, each once. */
export function toViolations(errors: ValidatorError[], known: KnownNames): Violation[] {
  const violations = new Map<string, Violation>();
  const knownAt = remembered(known);
  for (const error of errors) {
    const violation = toViolation(error, knownAt);
    violations.set(JSON.stringify(violation), violation);
  }
  return [...violations.values()];
}

/** Many unknown names stand at one place. */
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

function toViolation({ path, message, errorCode = "" }: ValidatorError, known: KnownNames): Violation {
  // A place within names of a megabyte is cut before it is taken apart, since there may be a hundred of it.
  const pointer = pointerSteps(path.length > MAX_POINTER_LENGTH ? path.slice(0, MAX_POINTER_LENGTH) : path);
  const property = toPlace(pointer.slice(1)) || pointer[0] || "body";
  if (errorCode === "unevaluatedProperties") return unknownName(property, pointer.at(-1) ?? "", known(pointer.slice(0, -1)));
  if (errorCode === "required") return { property, errorMessage: "is required" };
  // Of several types: `must be array,string,null`.
  return { property, errorMessage: errorCode === "type" ? message.replaceAll(",", " or ") : message };
}
