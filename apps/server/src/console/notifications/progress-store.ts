import { INSTANCE_PROJECT } from "../../common/context.ts";
import { type FeedItem, readFeed } from "../../store/change-log/change-feed.ts";
import { fromText } from "../../store/change-log/entity-text.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import type { Experiment } from "../experiments/experiment.ts";

type WithDb = Pick<StoreDeps, "db">;

/** Entries of the change log that one transaction reads. */
const BATCH_SIZE = 200;
/** How often experiments that have become ready are looked for, ms. */
const EXPERIMENTS_MS = 60_000;
const KEPT_MS = 90 * 24 * 60 * 60 * 1_000;
/** The most notifications that a person keeps in a project. */
const MAX_KEPT = 1_000;

/** The projects with entries that were not read for notifications, or with experiments that may have become ready. */
export async function listBehind({ db }: WithDb, now: number): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    select id from project left join notification_progress as progress on progress."projectID" = project.id
    where "deletedTime" is null and id <> ${INSTANCE_PROJECT} and (
      (position is null and "lastSeq" > 0) or position < "lastSeq" or ("experimentsTime" <= ${now - EXPERIMENTS_MS} and exists (
        select from experiment where experiment."projectID" = project.id and status = any(array['active', 'assignment_stopped'])
      ))
    ) order by id`;
  return rows.map(({ id }) => id);
}

/** The next entries of a project. `isLast` if they reach the end of the change log. */
export type Next = { items: FeedItem[]; isLast: boolean; experiments: Experiment[]; since: number };

/**
 * Moves on in the change log of a project, unless another server does at this time. Called in the transaction that writes the notifications, so that each
 * entry is read for them once.
 */
export async function takeNext({ db }: WithDb, projectID: string, now: number): Promise<Next | undefined> {
  await db.$executeRaw`
    insert into notification_progress ("projectID", position, "experimentsTime") values (${projectID}, 0, ${now}) on conflict do nothing`;
  const [row] = await db.$queryRaw<{ position: bigint; experimentsTime: bigint }[]>`
    select position, "experimentsTime" from notification_progress where "projectID" = ${projectID} for update skip locked`;
  if (!row) return undefined;
  const [position, since] = [Number(row.position), Number(row.experimentsTime)];
  const items = await readFeed(db, projectID, position, BATCH_SIZE);
  const isDue = since <= now - EXPERIMENTS_MS;
  const experiments = isDue ? await listRunning({ db }, projectID) : [];
  await db.$executeRaw`
    update notification_progress set position = ${items.at(-1)?.seq ?? position}::bigint, "experimentsTime" = ${isDue ? now : since}::bigint
    where "projectID" = ${projectID}`;
  return { items, isLast: items.length < BATCH_SIZE, experiments, since };
}

async function listRunning({ db }: WithDb, projectID: string): Promise<Experiment[]> {
  const rows = await db.$queryRaw<{ entity: string }[]>`
    select entity from experiment where "projectID" = ${projectID} and status = any(array['active', 'assignment_stopped']) order by id`;
  return rows.map(({ entity }) => fromText<Experiment>(entity));
}

/** Deletes notifications after 90 days, and those that are older than the latest 1,000 of a person in a project. */
export async function deleteOldNotifications({ db }: WithDb, now: number): Promise<void> {
  await db.$executeRaw`delete from notification where time < ${now - KEPT_MS}`;
  await db.$executeRaw`
    delete from notification as old using (
      select "projectID", "personID" from notification group by 1, 2 having count(*) > ${MAX_KEPT}
    ) as full_inbox
    where old."projectID" = full_inbox."projectID" and old."personID" = full_inbox."personID" and (old.time, old.seq, old.id) <= (
      select time, seq, id from notification as kept
      where kept."projectID" = old."projectID" and kept."personID" = old."personID" order by time desc, seq desc, id desc offset ${MAX_KEPT} limit 1
    )`;
}
