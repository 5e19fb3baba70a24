import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import { invalid } from "../../common/errors.ts";

export type UnitDeletion = Schema<"UnitDeletion">;
export type UnitDeletionRequest = WritableSchema<"UnitDeletionRequest">;
export type UnitDataCounts = Schema<"UnitDataCounts">;
export type UnitPlace = Schema<"UnitPlace">;
export type UnitRequest = WritableSchema<"UnitRequest">;

export type EventTable = "event" | "kept_event";

/** How far the events of a table and day were searched: up to a row of a block. */
export type EventPosition = { table: EventTable; day: number; block: number; row: number };

/** An event of a day, after which the next ones are read. */
export type ClickHousePosition = { table: EventTable; day: number; name: string; time: number; id: number };

/** How far events were read, on either engine. */
export type ReadPosition = EventPosition | ClickHousePosition;

export const FIRST_POSITION: EventPosition = { table: "event", day: 0, block: 0, row: 0 };

export type StoredEvent = {
  name: string;
  time: bigint | number;
  source: string;
  userID: string;
  customIDs: string | null;
  value: string;
  environment: string;
  exposed: string | null;
  ruleID: string | null;
  metadata: string;
  userFields: string | null;
  secondaryExposures: string | null;
};

/** The tables of first exposures. */
export type ExposureTable = "experiment_exposure" | "check_exposure";
export type StoredExposure = { firstTime: bigint | number; environment: string | null; userFields: string | null } & Record<
  string,
  unknown
>;

/** An entity, after which the next ones are searched. */
export type EntityPosition = { entityType: string; entityID: string };

/** The state that one request of a deletion leaves to the next: its receipt, and the position that it reached. */
export type Continuation = { receipt: string; position: EventPosition };

export const NOTHING_DELETED: UnitDataCounts = { events: 0, keptEvents: 0, experimentExposures: 0, checkExposures: 0, segmentIDs: 0 };

/** Maximum number of places in the configuration that a response lists. */
export const MAX_PLACES = 1_000;

const CONTINUATION = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(event|kept_event)\.(\d{1,9})\.(\d{1,10})$/;

export function writeContinuation({ receipt, position: { table, day, block } }: Continuation): string {
  return `${receipt}.${table}.${day}.${block}`;
}

/** @throws AppError invalid_request */
export function readContinuation(text: string): Continuation {
  const [, receipt, table, day, block] = CONTINUATION.exec(text) ?? [];
  if (receipt === undefined) throw invalid([{ property: "after", errorMessage: "must be `next` of the previous response" }]);
  return { receipt, position: { table: table as EventTable, day: Number(day), block: Number(block), row: 0 } };
}

/** The properties of an entity that contain the id of a unit: any of overrides, and the target values of conditions of other entities. */
export function findPlaces(entityType: string, entity: unknown, id: string): string[] {
  const isOfOverrides = entityType.endsWith("_overrides");
  const found: string[] = [];
  const visit = (value: unknown, place: string, counts: boolean): void => {
    if (Array.isArray(value)) for (const [index, one] of value.entries()) visit(one, `${place}[${index}]`, counts);
    else if (typeof value === "object" && value !== null)
      for (const [name, one] of Object.entries(value))
        visit(one, place === "" ? name : `${place}.${name}`, counts || name === "targetValue");
    else if (counts && (typeof value === "string" || typeof value === "number") && String(value) === id) found.push(place);
  };
  visit(entity, "", isOfOverrides);
  return found;
}
