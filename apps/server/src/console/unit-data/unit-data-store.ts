import { invalid } from "../../common/errors.ts";
import type { Unit } from "../../results/sql/unit-events.ts";
import { recordAuditEvent } from "../../store/change-log/audit-event.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import { requireUnlimited } from "../../store/entities/write-reach.ts";
import { CORE_UNIT_ID_TYPES } from "../common/named.ts";
import { deleteFromClickHouse, readWaiting, toEventDeletion } from "../events/outbox-store.ts";
import { createClickHouseUnitEventStore, FIRST_IN_CLICKHOUSE } from "./clickhouse-unit-event-store.ts";
import {
  type ClickHousePosition,
  type EventPosition,
  FIRST_POSITION,
  NOTHING_DELETED,
  type ReadPosition,
  type StoredEvent,
  type UnitDataCounts,
} from "./unit-data.ts";
import { createUnitDayStore } from "./unit-day-store.ts";
import { createUnitEventStore } from "./unit-event-store.ts";
import { createUnitExposureStore } from "./unit-exposure-store.ts";
import { createUnitPlaceStore } from "./unit-place-store.ts";

/** The deleted data, and the reached position of events if more are left. */
type Deleted = { deleted: UnitDataCounts; next: EventPosition | undefined; isPending: boolean };

/** Blocks of a MiB. */
const BLOCKS = 128;

/** The stored data about units. It is data, except for the segments that list them and for places in the configuration. */
export function createUnitDataStore(deps: StoreDeps) {
  const { db, projectID, by } = deps;
  const inDatabase = createUnitEventStore(deps);
  const inClickHouse = createClickHouseUnitEventStore(deps);
  const exposures = createUnitExposureStore(deps);
  const places = createUnitPlaceStore(deps);
  const unitDays = createUnitDayStore(deps);

  async function deleteFromDatabase(unit: Unit, from: EventPosition, limit: number): Promise<Deleted> {
    const { event: events, kept_event: keptEvents, next } = await inDatabase.delete(unit, from, limit * BLOCKS);
    const deleted = { ...NOTHING_DELETED, events, keptEvents };
    await unitDays.delete(unit, events + keptEvents > 0);
    if (next) return { deleted, next, isPending: false };
    const experimentExposures = await exposures.delete("experiment_exposure", unit);
    const checkExposures = await exposures.delete("check_exposure", unit);
    return { deleted: { ...deleted, experimentExposures, checkExposures }, next: undefined, isPending: false };
  }

  async function queueDeletion(unit: Unit): Promise<Deleted> {
    const events = await inClickHouse.count("event", unit);
    const keptEvents = await inClickHouse.count("kept_event", unit);
    const experimentExposures = await exposures.delete("experiment_exposure", unit);
    const checkExposures = await exposures.delete("check_exposure", unit);
    const deleted = { ...NOTHING_DELETED, events, keptEvents, experimentExposures, checkExposures };
    const waiting = await readWaiting(db, projectID, unit);
    const isStored = Object.values(deleted).some((count) => count > 0);
    const isPending = isStored || waiting.deletion || waiting.rows;
    // Rows that came before a deletion that waits are deleted by it.
    if (waiting.rows || (isStored && !waiting.deletion)) {
      for (const table of ["experiment_exposure", "check_exposure"] as const) await exposures.deleteFromClickHouse(table, unit);
      if (keptEvents > 0) await deleteFromClickHouse(db, toEventDeletion("kept_event", projectID, unit));
      // Sent last: `readWaiting` uses it to detect that the unit's deletion waits.
      await deleteFromClickHouse(db, toEventDeletion("event", projectID, unit));
    }
    return { deleted, next: undefined, isPending };
  }

  return {
    /** The unit with its type as the project calls it. @throws AppError invalid_request */
    async requireUnit({ unitType, id }: Unit): Promise<Unit> {
      const rows = await db.$queryRaw<{ id: string }[]>`
        select "id" from unit_id_type where "projectID" = ${projectID} and "caselessName" = ${unitType.toLowerCase()}`;
      const core = CORE_UNIT_ID_TYPES.find((one) => one.toLowerCase() === unitType.toLowerCase());
      const name = core ?? rows[0]?.id;
      if (name === undefined)
        throw invalid([{ property: "unitType", errorMessage: `references unit ID type ${unitType}, which does not exist` }]);
      return { unitType: name, id };
    },

    /** @throws AppError forbidden for a key that is limited to some environments or target apps */
    requireWholeProject: () => requireUnlimited("the data of a unit", by.limits),

    /**
     * Deletes events and exposures, in a transaction. With events in ClickHouse, counts them and leaves their deletion to the outbox.
     * @param limit the size of events to search, in MiB
     */
    delete: (unit: Unit, from: EventPosition, limit: number): Promise<Deleted> =>
      db.clickhouse ? queueDeletion(unit) : deleteFromDatabase(unit, from, limit),

    readEvents(unit: Unit, from: ReadPosition | undefined): Promise<{ events: StoredEvent[]; next: ReadPosition | undefined }> {
      return db.clickhouse
        ? inClickHouse.read(unit, (from as ClickHousePosition | undefined) ?? FIRST_IN_CLICKHOUSE)
        : inDatabase.read(unit, (from as EventPosition | undefined) ?? FIRST_POSITION);
    },

    readExposures: exposures.readPage,
    ...places,

    /** Notes in the audit log that data was downloaded or deleted. The entry has no id of the unit, since it is never deleted. */
    note: (entityType: "export" | "unit_data", receipt: string, details: Record<string, unknown>): Promise<void> =>
      recordAuditEvent(db, { ...by, entityType, entityID: receipt, details }),
  };
}
