import type { Database } from "../../store/database.ts";
import { reading } from "../../store/unit-of-work.ts";
import type { FindKeyVersions } from "./flag-streams.ts";

/** Looks keys up, all at once. */
export function findKeyVersionsIn(database: Database): FindKeyVersions {
  return (names) =>
    reading(database, (db) =>
      db.key.findMany({
        where: { status: "active", OR: names.map(({ projectID, id }) => ({ projectID, id })) },
        select: { projectID: true, id: true, version: true },
      }),
    );
}
