import type { Context } from "../../common/context.ts";
import { conflict, invalid, type Violation } from "../../common/errors.ts";
import { modified } from "../common/stamp.ts";
import { requireInUse, requireType, type Segment } from "./segment.ts";

/** The most ids of a segment. Lists of a million ids are common. */
const MAX_IDS = 2_000_000;
/** The longest id, in bytes of UTF-8. Postgres limits an index row to about 2,700 bytes. */
export const MAX_ID_BYTES = 2_000;

/** @throws AppError invalid_request unless the segment's type is a list of ids that callers write */
export function requireReadableIDs(segment: Segment): void {
  if (segment.type !== "user_store_id_list") requireType(segment, "id_list", "read");
}

/**
 * Checks that an operation on segments of a type may change this segment, with these ids.
 * @throws AppError invalid_request if the segment has another type or an id cannot be stored; conflict for archived segments
 */
export function requireChangeableIDs(segment: Segment, type: "id_list" | "user_store_id_list", ids: string[]): void {
  requireType(segment, type, "modified");
  requireStorable(ids);
  requireInUse(segment);
}

/** @throws AppError conflict if the call expects a version and the list has another */
export function requireListVersion(segment: Segment, version: number, expected: number | undefined): void {
  if (expected !== undefined && expected !== version) {
    throw conflict(`The id list of segment ${segment.id} is at version ${version}, not ${expected}. Read it again.`, "version");
  }
}

/** The segment with a new count of ids. @throws AppError conflict if it exceeds MAX_IDS */
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
