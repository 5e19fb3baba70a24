import type { Context } from "../common/context.ts";
import { systemContext } from "../common/system-context.ts";
import type { Stores } from "../console/stores.ts";
import { reading } from "../store/database/unit-of-work.ts";
import { type DueTable, findDue } from "../store/entities/due.ts";
import type { JobEnv } from "./jobs.ts";
import { writeAs } from "./write-as.ts";

/**
 * Runs `act` for each entity of a table with a due action, each in its own transaction. `act` locks the entity and checks again whether the
 * action is due, so it happens exactly once on all replicas. A failure does not block the other entities.
 */
export async function doDue(
  { database, log, now }: JobEnv,
  table: DueTable,
  operationID: string,
  act: (stores: Stores, id: string, context: Context) => Promise<void>,
): Promise<void> {
  for (const { projectID, id } of await reading(database, (db) => findDue(db, table, now()))) {
    const context = systemContext(operationID, now(), projectID);
    await writeAs(database, context, (stores) => act(stores, id, context)).catch((err: unknown) =>
      log.error({ err, projectID, [table]: id, operationID }, "A due action failed. It will be retried."),
    );
  }
}
