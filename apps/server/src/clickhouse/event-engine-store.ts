import { Prisma } from "../generated/prisma/client.ts";
import { EVENTS_ARE_ELSEWHERE } from "../store/database/database-errors.ts";
import type { Db } from "../store/database/unit-of-work.ts";

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

/** Makes the database refuse events, in a transaction, while they are moved and once they have been. */
export async function refuseEvents(db: Db): Promise<void> {
  await acceptEvents(db);
  await db.$executeRaw`alter table event add constraint ${Prisma.raw(EVENTS_ARE_ELSEWHERE)} check (false) not valid`;
}

export async function acceptEvents(db: Db): Promise<void> {
  await db.$executeRaw`alter table event drop constraint if exists ${Prisma.raw(EVENTS_ARE_ELSEWHERE)}`;
}

/**
 * Notes that events and exposures are in ClickHouse, in a transaction. The database refuses events after that, so that a server without
 * ClickHouse's address does not store lost events.
 */
export async function storeInClickHouse(db: Db): Promise<void> {
  await db.$executeRaw`insert into event_engine ("name") values ('clickhouse') on conflict do nothing`;
  await refuseEvents(db);
}
