import type { Db } from "../database/db.ts";

/** The project's settings that creations read. */
export type CreationSettings = {
  /** The unit ID type of an entity whose creation names none. */
  defaultUnitType: string;
  /** Whether a new entity that can have a team needs one. */
  requireTeams: boolean;
  /** Whether a new entity that can have an owner needs one, and keeps it. */
  requireOwners: boolean;
};

/** The settings of a project before any change. */
const UNCHANGED: CreationSettings = { defaultUnitType: "userID", requireTeams: false, requireOwners: false };

/** Reads the settings when they are asked for, and once. */
export function readCreationSettings(db: Db, projectID: string): () => Promise<CreationSettings> {
  let found: Promise<CreationSettings> | undefined;
  const read = async () => {
    const rows = await db.$queryRaw<CreationSettings[]>`
      select "defaultUnitType", "requireTeams", coalesce(entity::json->>'require_owners_on_configs', 'false') = 'true' as "requireOwners"
      from settings where "projectID" = ${projectID}`;
    return rows[0] ?? UNCHANGED;
  };
  return () => {
    found ??= read();
    return found;
  };
}
