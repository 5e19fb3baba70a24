import { Prisma } from "../../generated/prisma/client.ts";
import { withoutUnit } from "../../results/incremental/unit-rows.ts";
import { SHARDS } from "../../results/sql/unit-days.ts";
import type { Unit } from "../../results/sql/unit-events.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import { deleteStates } from "../results/load-state-store.ts";

type Stored = { stateID: bigint; shard: number; unit: number };

/** The shard of an ID, in the words of `shardExpression`. */
const shardOf = (id: string) => Prisma.sql`(hashtextextended(${id}, 0) & ${SHARDS - 1})::int`;

/** What loads of results have stored about a unit. It follows from the unit's events and exposures, so it is not listed with these. */
export function createUnitDayStore({ db, projectID }: Pick<StoreDeps, "db" | "projectID">) {
  /** Deletes the rows of a unit. A load that runs begins again, since it may have read what is deleted. */
  async function deleteRows({ unitType, id }: Unit): Promise<void> {
    const found = await db.$queryRaw<Stored[]>`
      delete from unit_state using load_state where load_state.id = "stateID" and load_state."projectID" = ${projectID}
        and "idType" = ${unitType.toLowerCase()} and shard = ${shardOf(id)} and "unitID" = ${id}
      returning "stateID", shard, unit`;
    for (const { stateID, shard, unit } of found) {
      const state = String(stateID);
      await db.$executeRaw`update load_state set version = version + 1 where id = ${state}::bigint`;
      const blocks = await db.$queryRaw<{ day: number; rows: Uint8Array }[]>`
        select day, rows from unit_day where "stateID" = ${state}::bigint and shard = ${shard}`;
      for (const { day, rows } of blocks) {
        const left = withoutUnit(rows, unit);
        if (left !== rows)
          await db.$executeRaw`update unit_day set rows = decode(${Buffer.from(left).toString("base64")}, 'base64') where "stateID" = ${state}::bigint and shard = ${shard} and day = ${day}`;
      }
    }
  }

  return {
    /**
     * Deletes what is stored about a unit, in the transaction that deletes its events. These may have added to units of other types, whose
     * results are computed from all events again.
     */
    async delete(unit: Unit, hasEvents: boolean): Promise<void> {
      await deleteRows(unit);
      if (hasEvents) await deleteStates(db, Prisma.sql`"projectID" = ${projectID} and "idType" <> ${unit.unitType.toLowerCase()}`);
    },
  };
}
