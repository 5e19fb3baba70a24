import type { Context } from "../../context.ts";
import { conflict, invalid, type Violation } from "../../errors.ts";
import { modified } from "../common/stamp.ts";
import { requireInUse, requireType, type Segment } from "./segment.ts";

/** The most ids that a segment lists. Lists of a million are ordinary, and still take a large call. */
const MAX_IDS = 2_000_000;
/** The longest id in UTF-8. A row of an index holds little more. */
const MAX_ID_BYTES = 2_000;

/** @throws AppError invalid_request unless callers write the segment's ids */
export function requireReadableIDs(segment: Segment): void {
  if (segment.type !== "user_store_id_list") requireType(segment, "id_list", "read");
}

/**
 * Whether the ids of a segment may be changed where segments of a type are, by a call that gives these.
 * @throws AppError invalid_request if the segment is of another type or an id cannot be kept; conflict if it is archived
 */
export function requireChangeableIDs(segment: Segment, type: "id_list" | "user_store_id_list", ids: string[]): void {
  requireType(segment, type, "modified");
  requireStorable(ids);
  requireInUse(segment);
}

/** @throws AppError conflict if the list is at another version than the call expects, where it expects one */
export function requireListVersion(segment: Segment, version: number, expected: number | undefined): void {
  if (expected !== undefined && expected !== version) {
    throw conflict(`The id list of segment ${segment.id} is at version ${version}, not ${expected}. Read it again.`, "version");
  }
}

/** The segment with another number of ids. @throws AppError conflict if it is more than a segment lists */
export function recount(segment: Segment, count: number, context: Context): Segment {
  if (count > MAX_IDS) {
    throw conflict(
      `Segment ${segment.id} would contain ${count} ids, but at most ${MAX_IDS} are allowed. Remove some or add fewer.`,
      "ids",
    );
  }
  return { ...segment, count, ...modified(segment, context) };
}

function requireStorable(ids: string[]): void {
  const violations: Violation[] = [];
  for (const [index, id] of ids.entries()) {
    const refuse = (errorMessage: string) => violations.push({ property: `ids[${index}]`, errorMessage });
    if (/\p{Surrogate}/u.test(id)) refuse("must be valid Unicode");
    if (id.length * 3 > MAX_ID_BYTES && Buffer.byteLength(id) > MAX_ID_BYTES)
      refuse(`must not be longer than ${MAX_ID_BYTES} bytes in UTF-8`);
  }
  if (violations.length > 0) throw invalid(violations);
}
