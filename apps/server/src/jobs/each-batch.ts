import { type Db, reading } from "../store/database/unit-of-work.ts";
import type { JobEnv } from "./jobs.ts";

/** Every row that `list` finds, batch by batch: it answers those after the last one, and none at the end. */
export async function* eachBatch<T>({ database }: JobEnv, list: (db: Db, after: T | undefined) => Promise<T[]>): AsyncGenerator<T> {
  let after: T | undefined;
  do {
    const batch: T[] = await reading(database, (db) => list(db, after));
    yield* batch;
    after = batch.at(-1);
  } while (after);
}
