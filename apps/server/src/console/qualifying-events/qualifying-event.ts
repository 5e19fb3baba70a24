import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import type { Context } from "../../common/context.ts";
import { changeRowSource, newRowSource } from "../common/row-source.ts";
import { checkNotReserved, checkOrigin, TABLE_SOURCE_DEFAULTS } from "../common/table-source.ts";

export type QualifyingEvent = Schema<"QualifyingEvent">;
type QualifyingEventCreate = WritableSchema<"QualifyingEventCreate">;
type QualifyingEventUpdate = WritableSchema<"QualifyingEventUpdate">;

const RESERVED = new Map([["preview", "previews a qualifying event"]]);

/** Creates a qualifying event. @throws AppError invalid_request with every violation */
export function newQualifyingEvent({ dryRun, ...given }: QualifyingEventCreate, context: Context): QualifyingEvent {
  const check: typeof checkOrigin = (source, violations) => {
    checkNotReserved(given.name, RESERVED, violations);
    checkOrigin(source, violations);
  };
  return newRowSource(TABLE_SOURCE_DEFAULTS, given, check, context);
}

/** The qualifying event with the given fields changed. @throws AppError invalid_request with every violation */
export function changeQualifyingEvent(
  source: QualifyingEvent,
  { dryRun, ...given }: QualifyingEventUpdate,
  context: Context,
): QualifyingEvent {
  return changeRowSource(source, given, checkOrigin, context);
}
