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
  const where = await sinceCreation(db, projectID, entityType, entityID);
  if (!where) return { versions: [], total: 0 };
  const [rows, total] = await Promise.all([
    db.change.findMany({ where, ...window, orderBy: { version: "desc" }, select: { after: true } }),
    db.change.count({ where }),
  ]);
  return { versions: rows.map(({ after }) => after as string), total };
}

/** One of these versions. */
export async function getVersion(
  db: Db,
  projectID: string,
  entityType: string,
  entityID: string,
  version: number,
): Promise<string | undefined> {
  const where = await sinceCreation(db, projectID, entityType, entityID);
  const row = where && (await db.change.findFirst({ where: { ...where, version }, select: { after: true } }));
  return row?.after ?? undefined;
}

async function sinceCreation(db: Db, projectID: string, entityType: string, entityID: string) {
  const subject = { projectID, entityType, entityID };
  const birth = await db.change.findFirst({ where: { ...subject, version: 1 }, orderBy: { id: "desc" }, select: { id: true } });
  return birth && { ...subject, id: { gte: birth.id }, after: { not: null } };
}
