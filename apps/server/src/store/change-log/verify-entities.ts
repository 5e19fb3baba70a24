import { Prisma } from "../../generated/prisma/client.ts";
import { matches, name } from "../database/row.ts";
import type { Db } from "../database/unit-of-work.ts";
import type { Kind } from "../entities/kind.ts";
import type { Finding } from "./verify-audit-log.ts";

/** The table of a kind's entities. */
// biome-ignore lint/suspicious/noExplicitAny: kinds of all entities
export type StoredKind = Pick<Kind<any>, "table" | "type" | "idColumn" | "scope">;

type Difference = { id: string; seq: bigint | null; isStored: boolean; isLogged: boolean };

/** The most findings of a kind. */
const MOST = 500;

/**
 * Compares every entity of a project with the state in its last entry. @param isWhole whether retention has dropped no entry, so that each
 * entity has one
 */
export async function* verifyEntities(
  db: Db,
  projectID: string,
  kinds: readonly StoredKind[],
  { isWhole }: { isWhole: boolean },
): AsyncGenerator<Finding, void, undefined> {
  for (const kind of kinds)
    for (const { id, seq, isStored, isLogged } of await findDifferences(db, projectID, kind)) {
      if (seq === null && !isWhole) continue;
      const fault = isStored && isLogged ? "altered" : isStored ? "added" : "removed";
      yield { projectID, seq: Number(seq ?? 0), fault, detail: describe(`${kind.type} ${id}`, seq !== null, fault) };
    }
}

function describe(entity: string, hasEntry: boolean, fault: Finding["fault"]): string {
  if (!hasEntry) return `no entry wrote ${entity}`;
  if (fault === "altered") return `${entity} is not as this entry left it, which wrote it last`;
  return fault === "added" ? `${entity} exists, which this entry deleted` : `${entity} is gone, which this entry wrote last`;
}

function findDifferences(db: Db, projectID: string, { table, type, idColumn = "id", scope }: StoredKind): Promise<Difference[]> {
  const last = Prisma.sql`
    select distinct on ("entityID") "entityID", "id" as entry from change
    where ${matches({ projectID, entityType: type })} and "version" > 0 order by "entityID", "id" desc`;
  return db.$queryRaw<Difference[]>`
    select coalesce(stored.id, logged.id) as id, logged.seq as seq, stored.id is not null as "isStored", logged."after" is not null as "isLogged"
    from (select ${name(idColumn)} as id, entity from ${name(table)} where ${matches({ projectID, ...scope })}) as stored
    full join (
      select last."entityID" as id, change."seq" as seq, change."after" as "after" from (${last}) as last
      join change on change."projectID" = ${projectID} and change."id" = last.entry
    ) as logged on logged.id = stored.id
    where logged."after" is distinct from stored.entity order by 1 limit ${MOST}`;
}
