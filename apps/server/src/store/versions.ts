import { Prisma } from "../generated/prisma/client.ts";
import { matches } from "./row.ts";
import type { Db } from "./unit-of-work.ts";

/**
 * The versions of an entity since its last creation, newest first, as the texts of the whole entities that they were. A deleted
 * entity has none, and one that was made again under its id shows nothing of its former life.
 */
export async function listVersions(
  db: Db,
  projectID: string,
  entityType: string,
  entityID: string,
  window: { skip: number; take: number },
): Promise<{ versions: string[]; total: number }> {
  const where = sinceCreation(projectID, entityType, entityID);
  const [rows, [counted]] = await Promise.all([
    db.$queryRaw<{ after: string }[]>`
      select "after" from change where ${where} order by "version" desc limit ${window.take} offset ${window.skip}`,
    db.$queryRaw<{ total: number }[]>`select count(*)::int as total from change where ${where}`,
  ]);
  return { versions: rows.map(({ after }) => after), total: counted?.total ?? 0 };
}

/** One of these versions. */
export async function getVersion(
  db: Db,
  projectID: string,
  entityType: string,
  entityID: string,
  version: number,
): Promise<string | undefined> {
  const [row] = await db.$queryRaw<{ after: string }[]>`
    select "after" from change where ${sinceCreation(projectID, entityType, entityID)} and "version" = ${version}`;
  return row?.after;
}

/** An entity is created as its version 1. */
function sinceCreation(projectID: string, entityType: string, entityID: string): Prisma.Sql {
  const subject = matches({ projectID, entityType, entityID });
  return Prisma.sql`${subject} and "after" is not null
    and "id" >= (select "id" from change where ${subject} and "version" = 1 order by "id" desc limit 1)`;
}
