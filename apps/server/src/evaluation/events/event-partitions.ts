import type { Database } from "../../store/database.ts";
import { writing } from "../../store/unit-of-work.ts";
import { makePartitions } from "./event-partition-store.ts";

/** Sees to it that events of a day have a partition, and asks the database only when it has not seen one yet. */
export function createPartitions(database: Database) {
  const known = new Set<number>();
  return {
    async require(day: number): Promise<void> {
      if (known.has(day)) return;
      await writing(database, (db) => makePartitions(db, [day]));
      known.add(day);
    },
    /** For when the database turns out not to have one. */
    forget(): void {
      known.clear();
    },
  };
}
