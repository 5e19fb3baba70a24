import type { PermittedContext } from "../context.ts";
import { createChangeLog } from "../store/change-log.ts";
import type { Database } from "../store/database.ts";
import { writing } from "../store/unit-of-work.ts";
import { createStores, type Stores } from "../stores.ts";

/** Runs a transaction with stores that write in the name of a context. */
export function writeAs<T>(database: Database, context: PermittedContext, act: (stores: Stores) => Promise<T>): Promise<T> {
  return writing(database, (db) => act(createStores({ db, context, log: createChangeLog(db, context) })));
}
