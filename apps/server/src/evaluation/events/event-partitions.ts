import type { Database } from "../../store/database/database.ts";
import { writing } from "../../store/database/unit-of-work.ts";
import { makePartitions } from "./event-partition-store.ts";

/** Ensures that days have a partition. Queries the database only for days that are not known to have one. */
export function createPartitions(database: Database) {
  const known = new Set<number>();
  return {
    async require(day: number): Promise<void> {
      if (known.has(day)) return;
      await writing(database, (db) => makePartitions(db, [day]));
      known.add(day);
    },
    /** Clears the known days, after the database reports a missing partition. */
    forget(): void {
      known.clear();
    },
  };
}
