import { Prisma } from "../../generated/prisma/client.ts";
import { eventReader } from "../../store/database/ask.ts";
import type { Db } from "../../store/database/unit-of-work.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import { deleteFromClickHouse } from "../events/outbox-store.ts";

/** Exposures are data, like events: the event intake adds them, and the change log does not have them. */
export function createCheckExposureStore({ db, projectID }: Pick<StoreDeps, "db" | "projectID">, entityType: "gate" | "holdout") {
  return {
    /** Called with the deletion of the gate or holdout, so that a new one with the same id starts without units. */
    async delete(entityID: string): Promise<void> {
      if (db.clickhouse) return deleteFromClickHouse(db, { table: "check_exposure", where: { projectID, entityType, entityID } });
      await db.$executeRaw`
        delete from check_exposure
        where "projectID" = ${projectID} and "entityType" = ${entityType} and "entityID" = ${entityID}`;
    },
  };
}

/** Deletes exposures that arrived while their gate or holdout was being deleted. */
export async function deleteOrphanedCheckExposures(db: Db): Promise<void> {
  if (db.clickhouse) return deleteOrphansFromClickHouse(db);
  // Reads one row for each entity.
  await db.$executeRaw`
    with recursive exposed as (
      (select "projectID", "entityType", "entityID" from check_exposure order by 1, 2, 3 limit 1)
      union all
      select next.* from exposed cross join lateral (
        select "projectID", "entityType", "entityID" from check_exposure
        where ("projectID", "entityType", "entityID") > (exposed."projectID", exposed."entityType", exposed."entityID")
        order by 1, 2, 3 limit 1
      ) as next
    )
    delete from check_exposure as kept using exposed
    where kept."projectID" = exposed."projectID" and kept."entityType" = exposed."entityType" and kept."entityID" = exposed."entityID"
      and ${IS_ORPHAN}`;
}

async function deleteOrphansFromClickHouse(db: Db): Promise<void> {
  const exposed = await eventReader(db).read<Exposed>(() => `select distinct "projectID", "entityType", "entityID" from check_exposure`);
  const columns = (["projectID", "entityType", "entityID"] as const).map((column) => exposed.map((one) => one[column]));
  const orphans = await db.$queryRaw<Exposed[]>`
    select exposed.* from unnest(${columns[0]}::text[], ${columns[1]}::text[], ${columns[2]}::text[])
      as exposed ("projectID", "entityType", "entityID") where ${IS_ORPHAN}`;
  for (const where of orphans) await deleteFromClickHouse(db, { table: "check_exposure", where });
}

type Exposed = { projectID: string; entityType: string; entityID: string };

const IS_ORPHAN = Prisma.sql`
  not exists (select from gate where exposed."entityType" = 'gate' and gate."projectID" = exposed."projectID" and "id" = exposed."entityID")
  and not exists (
    select from holdout where exposed."entityType" = 'holdout' and holdout."projectID" = exposed."projectID" and "id" = exposed."entityID")`;
