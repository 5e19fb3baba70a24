import { fromText } from "../../store/change-log/entity-text.ts";
import { matches } from "../../store/database/row.ts";
import type { Db } from "../../store/database/unit-of-work.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import type { Autotune } from "./autotune.ts";
import type { AutotuneCheck, Learned } from "./autotune-progress.ts";

/** Findings of checks are data: they are added to autotunes when these are read. Versions do not contain them. */
export function createAutotuneProgressStore({ db, projectID }: Pick<StoreDeps, "db" | "projectID">) {
  return {
    /** The last check of the present run of each autotune, by its id. */
    async find(autotunes: readonly Autotune[]): Promise<Map<string, AutotuneCheck>> {
      const started = new Map(autotunes.flatMap(({ id, startTime }) => (startTime === null ? [] : [[id, startTime]])));
      if (started.size === 0) return new Map();
      const rows = await db.$queryRaw<{ autotuneID: string; startTime: bigint; checkedTime: bigint | null; learned: string }[]>`
        select "autotuneID", "startTime", "checkedTime", "learned" from autotune_progress
        where "projectID" = ${projectID} and "autotuneID" = any(${[...started.keys()]}::text[])`;
      const present = rows.filter(({ autotuneID, startTime }) => started.get(autotuneID) === Number(startTime));
      return new Map(
        present.map(({ autotuneID, checkedTime, learned }) => [
          autotuneID,
          { checkedTime: checkedTime === null ? null : Number(checkedTime), learned: JSON.parse(learned) },
        ]),
      );
    },

    /** Stores the findings of a check of the present run. @param checkedTime ms */
    async save({ id, startTime }: Autotune, learned: readonly Learned[], checkedTime: number): Promise<void> {
      await db.$executeRaw`
        update autotune_progress set "checkedTime" = ${checkedTime}, "learned" = ${JSON.stringify(learned)}
        where ${matches({ projectID, autotuneID: id })} and "startTime" = ${startTime}`;
    },

    async delete(autotuneID: string): Promise<void> {
      await db.$executeRaw`delete from autotune_progress where ${matches({ projectID, autotuneID })}`;
    },
  };
}

export type Due = { projectID: string; autotune: Autotune };

/** The running autotunes of all projects without a check since a time, ms: the next ones after `after`. */
export async function listUnseen(db: Db, since: number, after: Due | undefined): Promise<Due[]> {
  const rows = await db.$queryRaw<{ projectID: string; entity: string }[]>`
    select "projectID", entity from autotune as running
    where "isRunning" and ("projectID", id) > (${after?.projectID ?? ""}, ${after?.autotune.id ?? ""})
      and exists (select from project where project.id = running."projectID" and "deletedTime" is null)
      and not exists (
        select from autotune_progress as seen
        where seen."projectID" = running."projectID" and "autotuneID" = running.id and "beginTime" > ${since}
      )
    order by "projectID", id limit 100`;
  return rows.map(({ projectID, entity }) => ({ projectID, autotune: fromText<Autotune>(entity) }));
}

/** Notes that a check of an autotune begins now. @returns whether no replica has begun one since a time, ms */
export async function claimAutotuneCheck(db: Db, { projectID, autotune }: Due, now: number, since: number): Promise<boolean> {
  const claimed = await db.$executeRaw`
    insert into autotune_progress as kept ("projectID", "autotuneID", "startTime", "beginTime", "checkedTime", "learned")
    values (${projectID}, ${autotune.id}, ${autotune.startTime}, ${now}, null, '[]')
    on conflict ("projectID", "autotuneID") do update set "beginTime" = excluded."beginTime", "startTime" = excluded."startTime",
      "checkedTime" = case when kept."startTime" = excluded."startTime" then kept."checkedTime" end,
      "learned" = case when kept."startTime" = excluded."startTime" then kept."learned" else '[]' end
    where kept."beginTime" <= ${since} or kept."startTime" <> excluded."startTime"`;
  return claimed > 0;
}

/** Makes a check due again at once, unless the autotune was restarted since. */
export async function releaseAutotuneCheck(db: Db, { projectID, autotune }: Due): Promise<void> {
  await db.$executeRaw`
    update autotune_progress set "beginTime" = 0
    where ${matches({ projectID, autotuneID: autotune.id })} and "startTime" = ${autotune.startTime}`;
}

/** Deletes the findings of checks that ended while their autotune was being deleted. */
export async function deleteOrphanedProgress(db: Db): Promise<void> {
  await db.$executeRaw`
    delete from autotune_progress as kept where not exists (
      select from autotune where autotune."projectID" = kept."projectID" and "id" = kept."autotuneID")`;
}
