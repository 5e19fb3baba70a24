import type { Context } from "../../context.ts";
import { conflict, invalid, type Violation } from "../../errors.ts";
import { modified } from "../common/stamp.ts";
import { requireInUse, requireType, type Segment } from "./segment.ts";

/** The most ids that a segment lists. */
const MOST = 1_000_000;
/** The longest id in UTF-8, bytes. A row of an index holds little more. */
const LONGEST = 2_000;

type ListType = "id_list" | "user_store_id_list";

/** What a call may change of a list: `version` is the one that it expects, where it expects one. */
type IDsGiven = { ids: string[]; version?: number };

/** @throws AppError invalid_request unless the segment has a list of ids that callers write */
export function requireReadableIDs(segment: Segment): void {
  if (segment.type !== "user_store_id_list") requireType(segment, "id_list", "read");
}

/**
 * Whether a call may change the ids of a segment, whose list is at `version`.
 * @throws AppError invalid_request if the segment is of another type or ids cannot be kept; conflict if it is archived or the list
 * is at another version than the call expects
 */
export function requireChangeableIDs(segment: Segment, type: ListType, given: IDsGiven, version: number): void {
  requireType(segment, type, "modified");
  checkIDs(given.ids);
  requireInUse(segment);
  if (given.version !== undefined && given.version !== version) {
    throw conflict(`The id list of segment ${segment.id} is at version ${version}, not ${given.version}. Read it again.`);
  }
}

/** The segment with another number of ids. @throws AppError conflict if it is more than a segment lists */
export function recount(segment: Segment, count: number, context: Context): Segment {
  if (count > MOST) {
    throw conflict(`Segment ${segment.id} would list ${count} ids, and a segment lists at most ${MOST}. Remove some, or add fewer.`);
  }
  return { ...segment, count, ...modified(segment, context) };
}

function checkIDs(ids: string[]): void {
  const violations: Violation[] = [];
  for (const [index, id] of ids.entries()) {
    const refuse = (errorMessage: string) => violations.push({ property: `ids[${index}]`, errorMessage });
    if (/\p{Surrogate}/u.test(id)) refuse("must be valid Unicode");
    if (id.length * 3 > LONGEST && Buffer.byteLength(id) > LONGEST) refuse(`must not be longer than ${LONGEST} bytes in UTF-8`);
  }
  if (violations.length > 0) throw invalid(violations);
}
