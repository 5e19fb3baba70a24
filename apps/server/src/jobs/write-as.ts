import type { PermittedContext } from "../common/context.ts";
import { createStores, type Stores } from "../console/stores.ts";
import { createChangeLog } from "../store/change-log/change-log.ts";
import type { Database } from "../store/database/database.ts";
import { writing } from "../store/database/unit-of-work.ts";

/** Runs a transaction with stores that write in the name of a context. */
export function writeAs<T>(database: Database, context: PermittedContext, act: (stores: Stores) => Promise<T>): Promise<T> {
  return writing(database, (db) => act(createStores({ db, context, log: createChangeLog(db, context) })));
}
