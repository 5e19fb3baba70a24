import { Prisma } from "../../generated/prisma/client.ts";
import { fromText } from "../change-log/entity-text.ts";
import type { Database } from "../database/database.ts";
import { matches, name, type Row, updateRow } from "../database/row.ts";
import { type Db, writing } from "../database/unit-of-work.ts";
import type { Versioned } from "../requests/entity-tag.ts";
import { DERIVATION, deriveColumns } from "./derived-columns.ts";
import type { Kind } from "./kind.ts";
import { replaceReferences } from "./references.ts";

/** The most entities of one transaction. */
const BATCH_SIZE = 100;

type Stored = { projectID: string; id: string; entity: string };

/**
 * Derives again the columns and references of the entities of a kind that servers of earlier releases have written.
 * @returns the number of entities
 */
// biome-ignore lint/suspicious/noExplicitAny: kinds of all entities
export async function deriveAgain(database: Database, kind: Omit<Kind<any>, "getID">): Promise<number> {
  let total = 0;
  let count: number;
  do {
    count = await writing(database, (db) => deriveBatch(db, kind));
    total += count;
  } while (count === BATCH_SIZE);
  return total;
}

async function deriveBatch<E extends Versioned>(db: Db, kind: Omit<Kind<E>, "getID">): Promise<number> {
  const { table, type, idColumn = "id", scope = {} } = kind;
  const inScope = Object.keys(scope).length > 0 ? Prisma.sql`and ${matches(scope)}` : Prisma.empty;
  // Rows that another server derives at the same time, or that another request writes, are left out.
  const rows = await db.$queryRaw<Stored[]>`
    select "projectID", ${name(idColumn)} as id, "entity" from ${name(table)} where "derivation" < ${DERIVATION} ${inScope}
    order by "projectID", ${name(idColumn)} limit ${BATCH_SIZE} for update skip locked`;
  for (const { projectID, id, entity: text } of rows) {
    const entity = fromText<E>(text);
    const key: Row = { projectID, ...scope, [idColumn]: id };
    await db.$executeRaw(updateRow(table, key, deriveColumns(kind, id, entity)));
    if (kind.references)
      await replaceReferences(db, { projectID, type, id, entity }, kind.isArchived?.(entity) ? [] : kind.references(entity));
  }
  const projectIDs = [...new Set(rows.map(({ projectID }) => projectID))].sort();
  for (const projectID of projectIDs) await renewLists(db, projectID);
  return rows.length;
}

/** Invalidates cached totals of lists. Numbers of changes are positive, so that this one is never used twice. */
async function renewLists(db: Db, projectID: string): Promise<void> {
  await db.$executeRaw`
    update project set "listSeq" = -floor(extract(epoch from clock_timestamp()) * 1000000)::bigint where "id" = ${projectID}`;
}
