import { Prisma } from "../../generated/prisma/client.ts";
import { matches } from "../database/row.ts";
import type { Db } from "../database/unit-of-work.ts";

/** Why a version was made. */
export type Reason = { version: number; reason: string };

/** One page of the versions of an entity, newest first, with the reasons that were given for some of them. */
export type VersionPage<E> = { data: E[]; reasons: Reason[]; total: number };

/**
 * The versions of an entity since its last creation, newest first, as JSON texts. A deleted entity keeps its versions until another is
 * created with the same id.
 */
export async function listVersions(
  db: Db,
  projectID: string,
  entityType: string,
  entityID: string,
  window: { skip: number; take: number },
): Promise<{ versions: string[]; reasons: Reason[]; total: number }> {
  const where = sinceCreation(projectID, entityType, entityID);
  const [rows, [counted]] = await Promise.all([
    db.$queryRaw<{ after: string; version: number; reason: string | null }[]>`
      select "after", "version", "reason" from change where ${where} order by "version" desc limit ${window.take} offset ${window.skip}`,
    db.$queryRaw<{ total: number }[]>`select count(*)::int as total from change where ${where}`,
  ]);
  const reasons = rows.flatMap(({ version, reason }) => (reason === null ? [] : [{ version, reason }]));
  return { versions: rows.map(({ after }) => after), reasons, total: counted?.total ?? 0 };
}

/** A version can have a megabyte. */
const BATCH_SIZE = 10;

/** The versions that `listVersions` lists, newest first, each with when it was made, ms. They are read as far as the caller goes. */
export async function* eachVersion(
  db: Db,
  projectID: string,
  entityType: string,
  entityID: string,
): AsyncGenerator<{ text: string; time: number }> {
  let before = 2 ** 31 - 1;
  for (;;) {
    const rows = await db.$queryRaw<{ after: string; time: bigint; version: number }[]>`
      select "after", "time", "version" from change
      where ${sinceCreation(projectID, entityType, entityID)} and "version" < ${before} order by "version" desc limit ${BATCH_SIZE}`;
    for (const { after, time } of rows) yield { text: after, time: Number(time) };
    const last = rows.at(-1);
    if (!last || rows.length < BATCH_SIZE) return;
    before = last.version;
  }
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

/**
 * The last state of a deleted entity as JSON text, with the version of its deletion. Undefined if it exists, or never did.
 * @param ownerType for an entity that was deleted with the owner that has the same id: the type of that owner
 */
export async function getDeleted(
  db: Db,
  projectID: string,
  entityType: string,
  entityID: string,
  ownerType?: string,
): Promise<{ text: string; version: number } | undefined> {
  const lastChange = (type: string) =>
    Prisma.sql`select * from change where ${matches({ projectID, entityType: type, entityID })} and "version" > 0 order by "id" desc limit 1`;
  // Parts that are deleted with their owner are deleted after it, in the same transaction, unlike parts deleted earlier.
  const withOwner =
    ownerType === undefined
      ? Prisma.empty
      : Prisma.sql`and "id" > (
          select "id" from change where ${matches({ projectID, entityType: ownerType, entityID })} and "version" > 0 and "after" is null
          order by "id" desc limit 1)`;
  const [row] = await db.$queryRaw<{ text: string; version: number }[]>`
    select "before" as "text", "version" from (${lastChange(entityType)}) as last where "after" is null ${withOwner}`;
  return row;
}

/** The changes since the last version 1, with which an entity is created. */
function sinceCreation(projectID: string, entityType: string, entityID: string): Prisma.Sql {
  const subject = matches({ projectID, entityType, entityID });
  return Prisma.sql`${subject} and "version" > 0 and "after" is not null
    and "id" >= (select "id" from change where ${subject} and "version" = 1 order by "id" desc limit 1)`;
}
