import type { Prisma } from "../../generated/prisma/client.ts";
import type { Db } from "../database/unit-of-work.ts";
import type { StoreDeps } from "./store-deps.ts";

/** A total, and the change it depends on: see `listSeq`. A restored database uses numbers again. */
type Total = { listSeq: bigint; restoredTime: bigint; total: number };

/** The most totals that are cached for a database. The least recently used one is evicted. */
const MAX_TOTALS = 1_000;

/** The cached totals of each database, by counting statement. A transaction is another `Db` and begins without any. */
const totals = new WeakMap<Db, Map<string, Total>>();

/**
 * The number of rows that a statement counts. It is cached until a change of the project alters the results of lists. One snapshot gives
 * the total and the number of the last such change, so the total is exact on every replica.
 * @param count `select count(*)::int …` over rows of the project
 * @param areLogged whether every write of these rows is in the change log. Other rows are counted each time
 */
export async function countOnce({ db, projectID, log }: StoreDeps, count: Prisma.Sql, { areLogged = true } = {}): Promise<number> {
  // Writes of this transaction have no change number yet.
  const remembered = log.entries.length > 0 || !areLogged ? new Map<string, Total>() : remembering(db);
  const key = JSON.stringify([count.sql, count.values]);
  const known = remembered.get(key) ?? { listSeq: -1n, restoredTime: 0n, total: 0 };
  const [current] = await db.$queryRaw<Total[]>`
    select "listSeq", "restoredTime", case
      when "listSeq" = ${known.listSeq} and "restoredTime" = ${known.restoredTime} then ${known.total}::int else (${count})
    end as total from project where "id" = ${projectID}`;
  if (!current) return 0;
  remembered.delete(key);
  remembered.set(key, current);
  const [eldest] = remembered.keys();
  if (remembered.size > MAX_TOTALS && eldest !== undefined) remembered.delete(eldest);
  return current.total;
}

function remembering(db: Db): Map<string, Total> {
  let remembered = totals.get(db);
  if (!remembered) {
    remembered = new Map();
    totals.set(db, remembered);
  }
  return remembered;
}
