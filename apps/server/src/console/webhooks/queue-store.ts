import { fromText } from "../../store/change-log/entity-text.ts";
import type { WebhookOutcome } from "../../store/database/db.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import { actionOf, isFor, nextAttempt, type Webhook } from "./webhook.ts";

type WithDb = Pick<StoreDeps, "db">;

/** A webhook of any project. */
export type Target = { projectID: string; webhookID: string };

/** Entries of the change log that are read at once. */
const BATCH_SIZE = 500;
/** With so many events waiting for a webhook, the change log keeps the rest. */
const MAX_WAITING = 5_000;
/** The most events that one server sends to a webhook at once. */
const MAX_AT_ONCE = 10;
/** Another server sends an event if this one has not noted an outcome for so long. */
const LEASE_MS = 60_000;

/** The webhooks of all projects with entries of the change log that were not read for them, or with events that are due. */
export async function listBusy({ db }: WithDb, now: number): Promise<Target[]> {
  return db.$queryRaw<Target[]>`
    select "projectID", "webhookID" from webhook_progress as progress join project on project.id = "projectID"
    where "deletedTime" is null and (
      position is null or position < "lastSeq" or exists (
        select from webhook_delivery as delivery
        where delivery."projectID" = progress."projectID" and delivery."webhookID" = progress."webhookID" and "dueTime" <= ${now}
      )
    ) order by 1, 2`;
}

/**
 * Queues the next events for an enabled webhook, unless another server does. The position moves in the same transaction, so that each event is
 * queued once. The id has the time of the event, since numbers are used again after a restore of the database.
 */
export async function queueEvents({ db }: WithDb, { projectID, webhookID }: Target, now: number): Promise<void> {
  const [row] = await db.$queryRaw<{ position: bigint | null; startVersion: number; entity: string; waiting: number }[]>`
    select position, "startVersion", entity, (
      select count(*)::int from webhook_delivery
      where webhook_delivery."projectID" = ${projectID} and webhook_delivery."webhookID" = ${webhookID} and "dueTime" is not null
    ) as waiting
    from webhook_progress as progress
    join webhook on webhook."projectID" = progress."projectID" and webhook.id = progress."webhookID"
    where progress."projectID" = ${projectID} and progress."webhookID" = ${webhookID} for update of progress skip locked`;
  if (!row || row.waiting >= MAX_WAITING) return;
  const position = row.position === null ? await findStart({ db }, { projectID, webhookID }, row.startVersion) : Number(row.position);
  if (position === undefined) return;
  const entries = await readAfter({ db }, projectID, position);
  const webhook = fromText<Webhook>(row.entity);
  const events = entries.filter((entry) => isFor(webhook, entry));
  if (events.length > 0)
    await db.$executeRaw`
      insert into webhook_delivery ("projectID", "webhookID", id, seq, "entityType", "entityID", action, "eventTime", status, "dueTime")
      select ${projectID}, ${webhookID}, ${webhookID} || '_' || seq || '_' || time, seq, type, entity, action, time, 'PENDING', ${now}
      from unnest(
        ${events.map(({ seq }) => seq)}::bigint[], ${events.map(({ entityType }) => entityType)}::text[],
        ${events.map(({ entityID }) => entityID)}::text[], ${events.map(actionOf)}::text[], ${events.map(({ time }) => time)}::bigint[]
      ) as event(seq, type, entity, action, time) on conflict do nothing`;
  await db.$executeRaw`
    update webhook_progress set position = ${entries.at(-1)?.seq ?? position} where "projectID" = ${projectID} and "webhookID" = ${webhookID}`;
}

/** The number of the entry that enabled a webhook. */
async function findStart({ db }: WithDb, { projectID, webhookID }: Target, version: number): Promise<number | undefined> {
  const [row] = await db.$queryRaw<{ seq: bigint }[]>`
    select seq from change
    where "projectID" = ${projectID} and "entityType" = 'webhook' and "entityID" = ${webhookID} and version = ${version} and seq is not null
    order by seq desc limit 1`;
  return row && Number(row.seq);
}

/** The next entries of a project, without their texts. Numbers follow the order of commits and have no gaps, so no entry can appear before another one later. */
async function readAfter({ db }: WithDb, projectID: string, position: number) {
  type Row = { entityType: string; entityID: string; version: number; isCreation: boolean; isDeletion: boolean };
  const rows = await db.$queryRaw<(Row & { seq: bigint; time: bigint })[]>`
    select seq, time, "entityType", "entityID", version, before is null as "isCreation", after is null as "isDeletion" from change
    where "projectID" = ${projectID} and seq > ${position}::bigint order by seq limit ${BATCH_SIZE}`;
  return rows.map((row) => ({ ...row, seq: Number(row.seq), time: Number(row.time) }));
}

/** An event that this server sends. No other server does before the end of the lease. */
export type Claimed = { id: string; seq: number; firstAttemptTime: number | null; leasedUntil: number };

/**
 * Takes over the next events for a webhook that are due: for each entity, only the first one that waits, so that an event is not sent before
 * the earlier ones about the same entity were delivered or given up.
 */
export async function claimDue({ db }: WithDb, { projectID, webhookID }: Target, now: number): Promise<Claimed[]> {
  const leasedUntil = now + LEASE_MS;
  const rows = await db.$queryRaw<{ id: string; seq: bigint; firstAttemptTime: bigint | null }[]>`
    update webhook_delivery set "dueTime" = ${leasedUntil} where "projectID" = ${projectID} and id in (
      select id from webhook_delivery as due
      where due."projectID" = ${projectID} and due."webhookID" = ${webhookID} and due."dueTime" <= ${now} and not exists (
        select from webhook_delivery as earlier
        where earlier."projectID" = ${projectID} and earlier."webhookID" = ${webhookID} and earlier."entityType" = due."entityType"
          and earlier."entityID" = due."entityID" and earlier.seq < due.seq and earlier."dueTime" is not null
      ) order by seq limit ${MAX_AT_ONCE} for update skip locked
    ) returning id, seq, "firstAttemptTime"`;
  return rows
    .map(({ id, seq, firstAttemptTime }) => ({
      ...{ id, seq: Number(seq), leasedUntil },
      firstAttemptTime: firstAttemptTime === null ? null : Number(firstAttemptTime),
    }))
    .sort((a, b) => a.seq - b.seq);
}

/** The webhook of events that were claimed. Undefined once it is deleted or disabled. */
export async function findTarget({ db }: WithDb, { projectID, webhookID }: Target): Promise<Webhook | undefined> {
  const [row] = await db.$queryRaw<{ entity: string }[]>`
    select entity from webhook where "projectID" = ${projectID} and id = ${webhookID}`;
  const webhook = row && fromText<Webhook>(row.entity);
  return webhook?.isEnabled ? webhook : undefined;
}

/**
 * Notes the outcome of an attempt, unless the event was disabled, deleted or taken over since.
 * @param outcome undefined if the audit log no longer has the event
 * @returns whether the event was given up after all attempts
 */
export async function noteOutcome(
  { db }: WithDb,
  { projectID, webhookID }: Target,
  { id, firstAttemptTime, leasedUntil }: Claimed,
  outcome: WebhookOutcome | undefined,
  now: number,
): Promise<boolean> {
  const isDelivered = outcome?.reason === null;
  const since = firstAttemptTime ?? now;
  const next = isDelivered || outcome === undefined ? null : nextAttempt(since, now);
  const status = isDelivered ? "DELIVERED" : next === null ? "FAILED" : "PENDING";
  const reason = outcome ? outcome.reason : "The audit log no longer has the event.";
  const count = await db.$executeRaw`
    update webhook_delivery set status = ${status}, attempts = attempts + 1, "dueTime" = ${next}::bigint, "firstAttemptTime" = ${since},
      "lastAttemptTime" = ${now}, "endedTime" = ${next === null ? now : null}::bigint, reason = ${reason},
      "responseStatus" = ${outcome?.answer?.status ?? null}::int, "responseBody" = ${outcome?.answer?.body ?? null}
    where "projectID" = ${projectID} and "webhookID" = ${webhookID} and id = ${id} and "dueTime" = ${leasedUntil}`;
  return count > 0 && status === "FAILED" && outcome !== undefined;
}

/** Whether a webhook got any event since a time, ms. */
export async function hasDelivered({ db }: WithDb, { projectID, webhookID }: Target, since: number): Promise<boolean> {
  const rows = await db.$queryRaw<object[]>`
    select from webhook_delivery where "projectID" = ${projectID} and "webhookID" = ${webhookID} and status = 'DELIVERED'
      and "lastAttemptTime" >= ${since} limit 1`;
  return rows.length > 0;
}

/** Deletes what is known of events that ended before a time, ms. */
export async function deleteEnded({ db }: WithDb, before: number): Promise<void> {
  await db.$executeRaw`delete from webhook_delivery where "endedTime" < ${before}`;
}
