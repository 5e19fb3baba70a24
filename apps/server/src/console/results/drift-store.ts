import type { Db } from "../../store/database/unit-of-work.ts";
import { type LoadState, STATE_COLUMNS, type StateRow, toState } from "./load-state-store.ts";

/** The type of the subject of a copy, which no load reads. */
export const COPY = "copy";

/** Takes the state whose sums were compared longest ago, unless those of any were compared since a time, ms. */
export async function claimComparison(db: Db, { since, now }: { since: number; now: number }): Promise<LoadState | undefined> {
  const [row] = await db.$queryRaw<(StateRow & { projectID: string })[]>`
    update load_state set "checkedTime" = ${now} where id = (
      select id from load_state where arrivals <> '[]' and "subjectType" <> ${COPY} order by "checkedTime", id limit 1 for update skip locked
    ) and not exists (select from load_state where "checkedTime" > ${since})
    returning ${STATE_COLUMNS}, "projectID"`;
  if (!row) return undefined;
  const { projectID, ...rest } = row;
  return toState(rest, projectID);
}

export async function saveDrift(db: Db, { id }: LoadState, drift: number): Promise<void> {
  await db.$executeRaw`update load_state set drift = ${drift} where id = ${String(id)}::bigint`;
}

/** The largest drift that the last comparison of each state found; 0 if none was compared. */
export async function readDrift(db: Db): Promise<number> {
  const [row] = await db.$queryRaw<{ drift: number }[]>`
    select coalesce(max(drift), 0)::float8 as drift from load_state where "subjectType" <> ${COPY}`;
  return row?.drift ?? 0;
}

/** Makes the next load of a state read all events, in a transaction. */
export async function emptyState(db: Db, { id }: LoadState): Promise<void> {
  await db.$executeRaw`update load_state set arrivals = '[]', version = version + 1 where id = ${String(id)}::bigint`;
  await db.$executeRaw`delete from unit_day where "stateID" = ${String(id)}::bigint`;
  await db.$executeRaw`delete from unit_state where "stateID" = ${String(id)}::bigint`;
}
