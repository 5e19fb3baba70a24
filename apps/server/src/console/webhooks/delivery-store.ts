import type { Schema } from "@gatehouse/contract/console";
import { Prisma } from "../../generated/prisma/client.ts";
import { recordAuditEvent } from "../../store/change-log/audit-event.ts";
import { fromText } from "../../store/change-log/entity-text.ts";
import { readEntries, readEntriesInParts, type StoredEntry } from "../../store/change-log/read-entries.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import { toActionType } from "../audit-logs/action-types.ts";
import { toChange } from "../changes/change.ts";
import { toChangeEntry } from "../changes/change-store.ts";
import type { Window } from "../common/page.ts";
import { type Person, toActor } from "../people/person.ts";
import type { SubjectNames } from "./event-words.ts";
import { actionOf, type Webhook } from "./webhook.ts";
import { toEvent, type WebhookEvent } from "./webhook-event.ts";

export type Delivery = Schema<"WebhookDelivery">;
export type DeliveryFilter = { status?: Delivery["status"] };

type NumberIn = "seq" | "eventTime" | "nextAttemptTime" | "lastAttemptTime";
type DeliveryRow = Omit<Delivery, NumberIn> & {
  seq: bigint;
  eventTime: bigint;
  nextAttemptTime: bigint | null;
  lastAttemptTime: bigint | null;
};

/** The events for the webhooks of a project. */
export function createDeliveryStore({ db, projectID, by }: Pick<StoreDeps, "db" | "projectID" | "by">) {
  const of = ({ id }: Webhook) => Prisma.sql`"projectID" = ${projectID} and "webhookID" = ${id}`;
  return {
    /** Queues the events after a write that enabled the webhook. */
    async begin({ id, version }: Webhook): Promise<void> {
      await db.$executeRaw`insert into webhook_progress ("projectID", "webhookID", "startVersion") values (${projectID}, ${id}, ${version})`;
    },

    /** Queues no more events, and gives up those that wait. */
    async end(webhook: Webhook): Promise<void> {
      await db.$executeRaw`delete from webhook_progress where ${of(webhook)}`;
      await db.$executeRaw`
        update webhook_delivery set status = 'FAILED', "dueTime" = null, "endedTime" = ${by.now}, reason = 'The webhook was disabled.'
        where ${of(webhook)} and "dueTime" is not null`;
    },

    async delete(webhook: Webhook): Promise<void> {
      await db.$executeRaw`delete from webhook_progress where ${of(webhook)}`;
      await db.$executeRaw`delete from webhook_delivery where ${of(webhook)}`;
    },

    async list(webhook: Webhook, { status }: DeliveryFilter, { skip, take }: Window): Promise<{ data: Delivery[]; total: number }> {
      const where = Prisma.sql`${of(webhook)} ${status === undefined ? Prisma.empty : Prisma.sql`and status = ${status}`}`;
      const [rows, [counted]] = await Promise.all([
        db.$queryRaw<DeliveryRow[]>`
          select id, seq, "entityType", "entityID", action, "eventTime", status, attempts, "dueTime" as "nextAttemptTime", "lastAttemptTime",
            "responseStatus", "responseBody", reason
          from webhook_delivery where ${where} order by seq desc limit ${take} offset ${skip}`,
        db.$queryRaw<[{ total: number }]>`select count(*)::int as total from webhook_delivery where ${where}`,
      ]);
      return { data: rows.map(toDelivery), total: counted.total };
    },

    async has(webhook: Webhook, id: string): Promise<boolean> {
      const rows = await db.$queryRaw<object[]>`select from webhook_delivery where ${of(webhook)} and id = ${id}`;
      return rows.length > 0;
    },

    /** Queues an event again, with attempts for as long as those of a new one. */
    async redeliver(webhook: Webhook, id: string): Promise<void> {
      await db.$executeRaw`
        update webhook_delivery set status = 'PENDING', "dueTime" = ${by.now}, "firstAttemptTime" = null, "endedTime" = null, reason = null
        where ${of(webhook)} and id = ${id}`;
      await recordAuditEvent(db, { ...by, entityType: "webhook_delivery", entityID: id, details: { webhookID: webhook.id } });
    },

    /** The number of the entry with a version of a webhook. */
    async lastChange(id: string, version: number): Promise<number[]> {
      const rows = await db.$queryRaw<{ seq: bigint }[]>`
        select seq from change
        where "projectID" = ${projectID} and "entityType" = 'webhook' and "entityID" = ${id} and version = ${version} and seq is not null`;
      return rows.map(({ seq }) => Number(seq));
    },
  };
}

function toDelivery({ seq, eventTime, nextAttemptTime, lastAttemptTime, ...row }: DeliveryRow): Delivery {
  const time = (value: bigint | null) => (value === null ? null : Number(value));
  const times = { eventTime: Number(eventTime), nextAttemptTime: time(nextAttemptTime), lastAttemptTime: time(lastAttemptTime) };
  return { ...row, seq: Number(seq), ...times };
}

/** The events of a project with these numbers, ascending. Those that the audit log no longer has are missing. */
export async function readEvents({ db, projectID }: Pick<StoreDeps, "db" | "projectID">, seqs: number[]): Promise<WebhookEvent[]> {
  const events: WebhookEvent[] = [];
  for await (const part of readEntriesInParts(seqs, (rest) => readEntries(db, projectID, rest))) events.push(...part.map(toWebhookEvent));
  return events;
}

/** The names of the people whom events are about, by ID: a member has none of its own. */
export async function readSubjectNames({ db }: Pick<StoreDeps, "db">, events: readonly WebhookEvent[]): Promise<SubjectNames> {
  const ids = events.filter(({ data }) => data.entityName === null).map(({ data }) => data.entityID);
  if (ids.length === 0) return new Map();
  const rows = await db.$queryRaw<{ id: string; entity: string }[]>`select id, entity from person where id = any(${ids}::text[])`;
  return new Map(rows.map(({ id, entity }) => [id, toActor(fromText<Person>(entity)).name]));
}

function toWebhookEvent(entry: StoredEntry): WebhookEvent {
  const { isDeletion: _, ...change } = toChange(toChangeEntry(entry));
  const { projectID, actorEmail, address, userAgent, version } = entry;
  const action = actionOf({ version, isCreation: entry.before === null, isDeletion: entry.after === null });
  const entityName = version === 0 ? null : change.entityName;
  const data = { ...change, entityName, projectID, action, actionType: toActionType(entry), actorEmail, address, userAgent };
  return toEvent(data, new Date(entry.time).toISOString());
}
