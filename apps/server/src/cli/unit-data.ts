import { openEvents } from "../clickhouse/open-events.ts";
import { notFound } from "../common/errors.ts";
import { systemContext } from "../common/system-context.ts";
import { createStores } from "../console/stores.ts";
import type { UnitDeletion } from "../console/unit-data/unit-data.ts";
import { deletePart } from "../console/unit-data/unit-data-handlers.ts";
import { streamUnitData } from "../console/unit-data/unit-data-stream-handlers.ts";
import type { Unit } from "../results/sql/unit-events.ts";
import { createChangeLog } from "../store/change-log/change-log.ts";
import type { Database } from "../store/database/database.ts";
import { reading, writing } from "../store/database/unit-of-work.ts";

type Given = { projectID: string; unit: Unit; now?: number };

/** The database with its events at the place in the settings. The caller that opened the database closes it. @throws EventsElsewhere */
export async function withEvents<T>(
  database: Database,
  eventsUrl: string | undefined,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const opened = await openEvents({ ...database, close: async () => {} }, eventsUrl);
  return work(opened).finally(() => opened.close());
}

/** Writes the data of a unit as JSON lines. @throws AppError invalid_request, not_found */
export async function downloadUnitData(
  database: Database,
  { projectID, unit, now = Date.now() }: Given,
  write: (part: Uint8Array) => Promise<void>,
): Promise<void> {
  await requireProject(database, projectID);
  const context = systemContext("downloadUnitData", now, projectID);
  const { parts, note } = await streamUnitData({
    ...{ body: unit, context },
    read: (work) => reading(database, (db) => work(createStores({ db, context, log: createChangeLog(db, context) }))),
  });
  await note();
  for await (const part of parts) await write(part);
}

/**
 * Deletes the data of a unit, in as many transactions as that takes.
 * @returns each part of the deletion; the last one is complete
 * @throws AppError invalid_request, not_found
 */
export async function* deleteUnitData(
  database: Database,
  { projectID, unit, now = Date.now() }: Given,
): AsyncGenerator<UnitDeletion, void, undefined> {
  await requireProject(database, projectID);
  const context = systemContext("deleteUnitData", now, projectID);
  let after: string | null = null;
  do {
    const body = { ...unit, ...(after !== null && { after }) };
    const part: UnitDeletion = await writing(database, (db) =>
      deletePart(body, { context, stores: createStores({ db, context, log: createChangeLog(db, context) }) }),
    );
    yield part;
    after = part.next;
  } while (after !== null);
}

async function requireProject(database: Database, id: string): Promise<void> {
  const found = await reading(database, (db) => db.$queryRaw<object[]>`select from project_entry where "id" = ${id}`);
  if (found.length === 0) throw notFound("Project", id);
}
