import { Prisma } from "../generated/prisma/client.ts";
import { matches } from "./row.ts";
import type { Db } from "./unit-of-work.ts";

/**
 * The versions of an entity since its last creation, newest first, as JSON texts. A deleted entity has none, and one that is created again
 * with the same id has none of the deleted one.
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

/** One of the versions that `listVersions` lists, as JSON text. */
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

/** The changes since the last version 1, with which an entity is created. */
function sinceCreation(projectID: string, entityType: string, entityID: string): Prisma.Sql {
  const subject = matches({ projectID, entityType, entityID });
  return Prisma.sql`${subject} and "version" > 0 and "after" is not null
    and "id" >= (select "id" from change where ${subject} and "version" = 1 order by "id" desc limit 1)`;
}
