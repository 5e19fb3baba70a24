import type { Database } from "../../store/database/database.ts";
import { reading } from "../../store/database/unit-of-work.ts";
import type { FindKeyVersions } from "./flag-streams.ts";

type KeyVersion = { projectID: string; id: string; version: number };

/** Looks up all keys in one query. */
export function findKeyVersionsIn(database: Database, now: () => number): FindKeyVersions {
  return (names) =>
    reading(
      database,
      (db) => db.$queryRaw<KeyVersion[]>`
        select "projectID", "id", "version" from key where "status" = 'active' and ("expiresTime" is null or "expiresTime" > ${now()})
        and ("projectID", "id") in (
          select * from unnest(${names.map(({ projectID }) => projectID)}::text[], ${names.map(({ id }) => id)}::text[]))`,
    );
}
