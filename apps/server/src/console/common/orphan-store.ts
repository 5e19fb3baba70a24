import { Prisma } from "../../generated/prisma/client.ts";
import { name } from "../../store/database/row.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import type { AnyKind } from "../kinds.ts";

/** Attached entities of a project. */
type Orphans = { projectID: string; ids: string[] };

/** The most entities attached to a type that one call finds. */
const BATCH_SIZE = 100;

/**
 * Attached entities whose subject was deleted and cannot be restored. Another entity has its id, or the change log has no version of it.
 * @param table of the attached entities
 * @param types of the entities that they are attached to
 */
export async function listOrphans(
  { db }: Pick<StoreDeps, "db">,
  kinds: readonly AnyKind[],
  table: "comment" | "result_note",
  types: readonly string[],
): Promise<Orphans[]> {
  const found = new Map<string, string[]>();
  for (const type of types) {
    const kind = kinds.find((one) => one.type === type);
    if (!kind) throw new Error(`No kind of entities has the type ${type}.`);
    const entity = Prisma.sql`
      select 1 from ${name(kind.table)} as entity
      where entity."projectID" = attached."projectID" and entity.${name(kind.idColumn ?? "id")} = attached."entityID"`;
    const rows = await db.$queryRaw<{ projectID: string; id: string }[]>`
      select "projectID", id from ${name(table)} as attached where "entityType" = ${type}
      and not exists (${entity} and entity."createdTime" = attached."entityCreatedTime")
      and (exists (${entity}) or not exists (
        select 1 from change where change."projectID" = attached."projectID" and change."entityType" = ${type}
        and change."entityID" = attached."entityID" and change.version > 0
      )) order by "projectID", id limit ${BATCH_SIZE}`;
    for (const { projectID, id } of rows) found.set(projectID, [...(found.get(projectID) ?? []), id]);
  }
  return [...found].map(([projectID, ids]) => ({ projectID, ids }));
}
