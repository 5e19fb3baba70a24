import type { Permission } from "@gatehouse/contract";
import type { Schema } from "@gatehouse/contract/console";
import { INSTANCE_PROJECT } from "../../common/context.ts";
import { invalid } from "../../common/errors.ts";
import { EVERY_PERMISSION } from "../../common/permissions.ts";
import { Prisma } from "../../generated/prisma/client.ts";
import { fromText } from "../../store/change-log/entity-text.ts";
import { queueEmails } from "../../store/emails/outbox.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import type { Window } from "../common/page.ts";
import { type Person, toActor } from "../people/person.ts";
import { builtInRole, permittedBy } from "../roles/role.ts";
import type { Answered } from "./answered.ts";
import type { Reader } from "./audience.ts";
import {
  DEFAULT_EMAILED,
  describeNotification,
  type Happening,
  kindOf,
  NOTIFICATION_KINDS,
  type Notification,
  type NotificationKind,
  notificationEmail,
} from "./notification.ts";

type Filter = { unread?: boolean | undefined; kinds?: NotificationKind[] | undefined };
type Marks = { isRead: boolean; ids?: string[] | undefined; until?: string | undefined; kinds?: NotificationKind[] | undefined };

type Row = { id: string; time: string; readTime: string | null; event: string };
type ReaderRow = {
  person: string;
  role: string | null;
  rolePermissions: Permission[] | null;
  rolePublishesIn: string[] | null;
} & StoredSettings;

/** Null for a person who has chosen nothing. */
type StoredSettings = { muted: NotificationKind[] | null; emailed: NotificationKind[] | null };
type Settings = Schema<"NotificationSettings">;

/** Changes that are older when they are noticed, for example after an outage, are not emailed, ms. */
const EMAILED_FOR_MS = 24 * 60 * 60 * 1_000;

/** @param types those of entities that the person can read */
type Inbox = { personID: string; types: readonly string[] };

/** Notifications of people in a project. They are data of each person: the change log does not have them. */
export function createNotificationStore({ db, projectID, by }: StoreDeps) {
  const where = ({ personID, types }: Inbox, { unread, kinds }: Filter = {}) => {
    const conditions = [
      Prisma.sql`"projectID" = ${projectID} and "personID" = ${personID} and "entityType" = any(${[...types]}::text[])`,
      ...(unread === undefined ? [] : [unread ? Prisma.sql`"readTime" is null` : Prisma.sql`"readTime" is not null`]),
      ...(kinds === undefined ? [] : [Prisma.sql`kind = any(${kinds}::text[])`]),
    ];
    return Prisma.join(conditions, " and ");
  };

  return {
    /** The latest first, in one statement, since every page of the console asks how many are unread. */
    async list(inbox: Inbox, filter: Filter, { skip, take }: Window): Promise<{ data: Notification[]; total: number }> {
      const [found] = await db.$queryRaw<[{ total: number; rows: Row[] | null }]>`
        select (select count(*)::int from notification where ${where(inbox, filter)}) as total, (
          select json_agg(page) from (
            select id, time::text, "readTime"::text, event from notification where ${where(inbox, filter)}
            order by notification.time desc, seq desc, id desc limit ${take} offset ${skip}
          ) as page
        ) as rows`;
      return { data: (found.rows ?? []).map((row) => toNotification(row, projectID)), total: found.total };
    },

    /** @returns how many changed @throws AppError invalid_request */
    async mark(inbox: Inbox, { isRead, ids, until, kinds }: Marks): Promise<number> {
      if ((ids === undefined) === (until === undefined))
        throw invalid([
          { property: ids ? "until" : "ids", errorMessage: ids ? "cannot be given with ids" : "is required, unless until is given" },
        ]);
      if (kinds && ids) throw invalid([{ property: "kinds", errorMessage: "needs until" }]);
      const chosen = ids ? Prisma.sql`id = any(${ids}::text[])` : await reaching(inbox, until as string);
      return db.$executeRaw`
        update notification set "readTime" = ${isRead ? by.now : null}::bigint where ${where(inbox, { unread: isRead, kinds })} and ${chosen}`;
    },

    /** The kinds that a person gets in the inbox, and those that they also get by email. */
    async findSettings(personID: string): Promise<Settings> {
      const [row] = await db.$queryRaw<StoredSettings[]>`
        select muted, emailed from notification_settings where "projectID" = ${projectID} and "personID" = ${personID}`;
      const { inbox, email } = toSettings(row);
      return { inbox, ...(db.emails && { email }) };
    },

    /** @throws AppError invalid_request */
    async setSettings(personID: string, { inbox, email }: Settings): Promise<void> {
      if (email && !db.emails) throw invalid([{ property: "email", errorMessage: "cannot be set, since this server sends no email" }]);
      const unknown = (email ?? []).flatMap((kind, index) =>
        inbox.includes(kind) ? [] : [{ property: `email[${index}]`, errorMessage: "must also be in inbox" }],
      );
      if (unknown.length > 0) throw invalid(unknown);
      const muted = NOTIFICATION_KINDS.filter((kind) => !inbox.includes(kind));
      await db.$executeRaw`
        insert into notification_settings as settings ("projectID", "personID", muted, emailed)
        values (${projectID}, ${personID}, ${muted}::text[], ${email ?? null}::text[])
        on conflict ("projectID", "personID") do update set muted = excluded.muted, emailed = coalesce(excluded.emailed, settings.emailed)`;
    },

    /** Everyone with access to the project, in the order of their ids. */
    async listReaders(): Promise<Reader[]> {
      const rows = await db.$queryRaw<ReaderRow[]>`
        select person.entity as person, member.role, role.permissions as "rolePermissions", muted, emailed,
          case when not role."publishesEverywhere" then role."publishesIn" end as "rolePublishesIn"
        from person
        left join member on member."projectID" = ${projectID} and member.id = person.id
        left join role on role."projectID" = ${projectID} and role.id = member.role
        left join notification_settings as settings on settings."projectID" = ${projectID} and settings."personID" = person.id
        where person."projectID" = ${INSTANCE_PROJECT} and person."isActive" and (member.id is not null or person."isAdministrator")
        order by person.id`;
      return rows.map(toReader);
    },

    /** Adds a notification to people's inboxes, unless they have it already, and emails it to those who want that. */
    async add(readers: readonly Reader[], given: { id: string; seq: number; time: number }, happening: Happening): Promise<void> {
      if (readers.length === 0) return;
      const { event, opens } = happening;
      const kind = kindOf(event);
      const added = await db.$queryRaw<{ personID: string }[]>`
        insert into notification ("projectID", "personID", id, seq, time, kind, "entityType", event)
        select ${projectID}, person, ${given.id}, ${given.seq}::bigint, ${given.time}::bigint, ${kind}, ${opens.type}, ${JSON.stringify(happening)}
        from unnest(${readers.map(({ id }) => id)}::text[]) as person on conflict do nothing returning "personID"`;
      const isNew = new Set(added.map(({ personID }) => personID));
      const emailed = readers.filter(({ id, emailed }) => isNew.has(id) && emailed.includes(kind));
      if (!db.emails || emailed.length === 0 || given.time < by.now - EMAILED_FOR_MS) return;
      const [project] = await db.$queryRaw<{ name: string }[]>`select name from project where id = ${projectID}`;
      const content = notificationEmail(happening, { id: projectID, name: project?.name ?? projectID });
      const emails = emailed.map(({ id: personID }) => ({ kind: "notification" as const, personID, content }));
      await queueEmails(db, projectID, emails, by.now);
    },

    /** Marks requests as read that were answered by an entry of the change log. Later ones stay unread. */
    async markAnswered({ event, opens, since, personID }: Answered, { seq, time }: { seq: number; time: number }): Promise<void> {
      const ofPerson = personID === null ? Prisma.empty : Prisma.sql`and "personID" = ${personID}`;
      await db.$executeRaw`
        update notification set "readTime" = ${time}::bigint
        where "projectID" = ${projectID} ${ofPerson} and "readTime" is null and notification.time >= ${since} and seq < ${seq}
          and kind = ${kindOf(event)} and "entityType" = ${opens.type}
          and event::json->>'event' = ${event} and event::json->'opens'->>'id' = ${opens.id}`;
    },
  };

  /** A notification and the older ones. */
  async function reaching({ personID }: Inbox, id: string): Promise<Prisma.Sql> {
    const [row] = await db.$queryRaw<{ time: bigint; seq: bigint }[]>`
      select time, seq from notification where "projectID" = ${projectID} and "personID" = ${personID} and id = ${id}`;
    if (!row) throw invalid([{ property: "until", errorMessage: "is not the id of one of your notifications" }]);
    return Prisma.sql`(time, seq, id) <= (${row.time}::bigint, ${row.seq}::bigint, ${id})`;
  }
}

function toSettings({ muted, emailed }: Partial<StoredSettings> = {}): Required<Settings> {
  const inbox = NOTIFICATION_KINDS.filter((kind) => !muted?.includes(kind));
  return { inbox, email: inbox.filter((kind) => (emailed ?? DEFAULT_EMAILED).includes(kind)) };
}

function toReader({ person: text, role, rolePermissions, rolePublishesIn, ...settings }: ReaderRow): Reader {
  const person = fromText<Person>(text);
  const { id, name } = toActor(person);
  const own = role === null ? undefined : builtInRole(role);
  const permitted = new Set(own ? permittedBy(own) : (rolePermissions ?? []));
  const permissions = person.isAdministrator ? EVERY_PERMISSION : permitted;
  const publishing = rolePublishesIn && !person.isAdministrator ? { environments: rolePublishesIn, grantedBy: `the role ${role}` } : null;
  return {
    id,
    name,
    email: person.email,
    isMember: role !== null,
    permissions,
    publishing,
    muted: settings.muted ?? [],
    emailed: toSettings(settings).email,
  };
}

function toNotification({ id, time, readTime, event: text }: Row, projectID: string): Notification {
  const happening: Happening = JSON.parse(text);
  const { event, opens, actorName } = happening;
  return {
    ...{ id, kind: kindOf(event), event, ...describeNotification(happening, projectID) },
    ...{ entityType: opens.type, entityID: opens.id, actorName },
    ...{ time: Number(time), readTime: readTime === null ? null : Number(readTime) },
  };
}
