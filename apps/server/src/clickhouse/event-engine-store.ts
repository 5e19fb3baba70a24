import type { Db } from "../store/unit-of-work.ts";

/** Whether events and exposures are in ClickHouse from now on. */
export async function isInClickHouse(db: Db): Promise<boolean> {
  const [row] = await db.$queryRaw<{ is: boolean }[]>`select exists (select from event_engine where "name" = 'clickhouse') as "is"`;
  return row?.is ?? false;
}

/** Whether the database has events or exposures. */
export async function hasEvents(db: Db): Promise<boolean> {
  const [row] = await db.$queryRaw<{ has: boolean }[]>`
    select exists (select from event) or exists (select from kept_event) or exists (select from experiment_exposure)
      or exists (select from check_exposure) as "has"`;
  return row?.has ?? false;
}

/**
 * Notes that events and exposures are in ClickHouse, in a transaction. From then on the database refuses events: a server without ClickHouse's
 * address fails instead of storing what nobody would find.
 */
export async function storeInClickHouse(db: Db): Promise<void> {
  await db.$executeRaw`insert into event_engine ("name") values ('clickhouse') on conflict do nothing`;
  await db.$executeRaw`alter table event drop constraint if exists events_are_in_clickhouse`;
  await db.$executeRaw`alter table event add constraint events_are_in_clickhouse check (false) not valid`;
}
