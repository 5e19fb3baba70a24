import type { Schema } from "@gatehouse/contract/console";
import { toDate } from "../../common/local-day.ts";
import { UTC } from "../../common/time-zone.ts";
import { utcDay } from "../../common/utc-day.ts";
import { matches } from "../../store/database/row.ts";
import type { Db } from "../../store/database/unit-of-work.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import type { Window } from "../common/page.ts";
import type { Autotune } from "./autotune.ts";
import { type Learned, withShares } from "./autotune-progress.ts";
import type { computeShares } from "./autotune-shares.ts";

type AutotuneDay = Schema<"AutotuneDay">;
type Shares = ReturnType<typeof computeShares>;

/** The findings of the last check of each day. Versions do not contain them. */
export function createAutotuneDayStore({ db, projectID }: Pick<StoreDeps, "db" | "projectID">) {
  return {
    /** Days of the present run, newest first. */
    async list({ id, startTime }: Autotune, { skip, take }: Window): Promise<{ data: AutotuneDay[]; total: number }> {
      const rows = await db.$queryRaw<{ checkedTime: number; variants: string; total: number }[]>`
        select "checkedTime"::float8 as "checkedTime", variants, count(*) over ()::int as total from autotune_day
        where ${matches({ projectID, autotuneID: id })} and "startTime" = ${startTime ?? 0} order by day desc limit ${take} offset ${skip}`;
      const data = rows.map(({ checkedTime, variants }) => ({
        date: toDate(checkedTime, UTC),
        checkedTime,
        variants: JSON.parse(variants) as AutotuneDay["variants"],
      }));
      return { data, total: rows[0]?.total ?? (skip === 0 ? 0 : await count(id, startTime ?? 0)) };
    },

    /** Stores the findings of a check, in place of earlier ones of the day. @param checkedTime ms */
    async save({ id, startTime }: Autotune, learned: readonly Learned[], shares: Shares, checkedTime: number): Promise<void> {
      const variants = JSON.stringify(withShares(learned, shares));
      await db.$executeRaw`
        insert into autotune_day as kept ("projectID", "autotuneID", day, "startTime", "checkedTime", variants)
        values (${projectID}, ${id}, ${utcDay(checkedTime)}, ${startTime}, ${checkedTime}, ${variants})
        on conflict ("projectID", "autotuneID", day) do update set
          "startTime" = excluded."startTime", "checkedTime" = excluded."checkedTime", variants = excluded.variants`;
    },

    async delete(autotuneID: string): Promise<void> {
      await db.$executeRaw`delete from autotune_day where ${matches({ projectID, autotuneID })}`;
    },
  };

  async function count(autotuneID: string, startTime: number): Promise<number> {
    const [row] = await db.$queryRaw<{ count: number }[]>`
      select count(*)::int as count from autotune_day where ${matches({ projectID, autotuneID })} and "startTime" = ${startTime}`;
    return row?.count ?? 0;
  }
}

/** Deletes the days of checks that ended while their autotune was being deleted. */
export async function deleteOrphanedDays(db: Db): Promise<void> {
  await db.$executeRaw`
    delete from autotune_day as kept where not exists (
      select from autotune where autotune."projectID" = kept."projectID" and "id" = kept."autotuneID")`;
}
