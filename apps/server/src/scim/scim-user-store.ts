import { INSTANCE_PROJECT } from "../common/context.ts";
import type { Person } from "../console/people/person.ts";
import { Prisma } from "../generated/prisma/client.ts";
import { fromText } from "../store/change-log/entity-text.ts";
import type { Db } from "../store/database/unit-of-work.ts";
import { type FilterColumn, type FilterColumns, toCondition } from "./filter-store.ts";
import type { Filter } from "./parse-filter.ts";

/** The attributes of a person that only SCIM has. */
export type Profile = { userName: string; externalID: string | null; displayName: string | null };

/** A person as SCIM shows them. People who are not managed by SCIM yet have no profile. */
export type User = { person: Person; profile: Profile | null; lastModifiedTime: number };

export type Page = { skip: number; take: number };

type Row = {
  entity: string;
  userName: string | null;
  externalID: string | null;
  displayName: string | null;
  lastModifiedTime: bigint | null;
};

/** The form that makes names of users unique. */
function toKey(userName: string): string {
  return userName.toLowerCase();
}

const COLUMNS = Prisma.sql`person.entity, scim_user."userName", scim_user."externalID", scim_user."displayName", scim_user."lastModifiedTime"`;
/** Hides deleted users from SCIM. */
const VISIBLE = Prisma.sql`
  person left join scim_user on scim_user."personID" = person.id
  where person."projectID" = ${INSTANCE_PROJECT} and scim_user."deletedTime" is null`;

const text = (sql: Prisma.Sql): FilterColumn => ({ type: "text", sql });
const exact = (sql: Prisma.Sql): FilterColumn => ({ type: "exact", sql });
const named = (property: string) => text(Prisma.sql`person.entity::json ->> ${property}::text`);

const address: FilterColumn = {
  type: "indexed",
  sql: Prisma.sql`person.email`,
  equals: (value) => Prisma.sql`(person.email = ${value.toLowerCase()})`,
};

const userName: FilterColumn = {
  type: "indexed",
  sql: Prisma.sql`coalesce(scim_user."userName", person.email)`,
  equals: (value) => Prisma.sql`(person.id in (
    select "personID" from scim_user where "userNameKey" = ${toKey(value)}
    union all select id from person where "projectID" = ${INSTANCE_PROJECT} and email = ${toKey(value)}
      and not exists (select 1 from scim_user where "personID" = person.id)
  ))`,
};

const FILTERS: FilterColumns = new Map<string, FilterColumn>([
  ["id", exact(Prisma.sql`person.id`)],
  ["username", userName],
  ["externalid", exact(Prisma.sql`scim_user."externalID"`)],
  ["displayname", text(Prisma.sql`scim_user."displayName"`)],
  ["name.givenname", named("firstName")],
  ["name.familyname", named("lastName")],
  ["active", { type: "boolean", sql: Prisma.sql`person."isActive"` }],
  ["emails", address],
  ["emails.value", address],
  ["emails.type", text(Prisma.sql`'work'::text`)],
  ["emails.primary", { type: "boolean", sql: Prisma.sql`true` }],
  ["meta.created", { type: "time", sql: Prisma.sql`person."createdTime"` }],
  ["meta.lastmodified", { type: "time", sql: Prisma.sql`greatest(person."lastModifiedTime", scim_user."lastModifiedTime")` }],
]);

/** The users that match, oldest first. */
export async function listUsers(db: Db, filter: Filter | undefined, { skip, take }: Page): Promise<{ users: User[]; total: number }> {
  const condition = filter ? Prisma.sql` and ${toCondition(filter, FILTERS)}` : Prisma.empty;
  const [counted] = await db.$queryRaw<{ total: number }[]>`select count(*)::int as total from ${VISIBLE}${condition}`;
  const rows = await db.$queryRaw<Row[]>`
    select ${COLUMNS} from ${VISIBLE}${condition} order by person."createdTime", person.id limit ${take} offset ${skip}`;
  return { users: rows.map(toUser), total: counted?.total ?? 0 };
}

export async function findUser(db: Db, id: string): Promise<User | undefined> {
  const rows = await db.$queryRaw<Row[]>`select ${COLUMNS} from ${VISIBLE} and person.id = ${id}`;
  return rows[0] && toUser(rows[0]);
}

function toUser({ entity, userName: name, externalID, displayName, lastModifiedTime }: Row): User {
  const person = fromText<Person>(entity);
  return {
    person,
    profile: name === null ? null : { userName: name, externalID, displayName },
    lastModifiedTime: Math.max(person.lastModifiedTime, Number(lastModifiedTime ?? 0)),
  };
}

/** Whether SCIM deleted a person. */
export async function isDeleted(db: Db, personID: string): Promise<boolean> {
  const rows = await db.$queryRaw`select 1 from scim_user where "personID" = ${personID} and "deletedTime" is not null`;
  return rows.length > 0;
}

/** The id of the person who has this `userName`, or this address if they have no profile. */
export async function findByUserName(db: Db, name: string): Promise<string | undefined> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    select person.id from ${VISIBLE} and ${toCondition({ kind: "compare", attribute: "username", operator: "eq", value: name }, FILTERS)}`;
  return rows[0]?.id;
}

export async function saveProfile(db: Db, personID: string, profile: Profile, now: number): Promise<void> {
  const { userName: name, externalID, displayName } = profile;
  await db.$executeRaw`
    insert into scim_user ("personID", "userName", "userNameKey", "externalID", "displayName", "createdTime", "lastModifiedTime")
    values (${personID}, ${name}, ${toKey(name)}, ${externalID}, ${displayName}, ${now}, ${now})
    on conflict ("personID") do update set "userName" = excluded."userName", "userNameKey" = excluded."userNameKey",
      "externalID" = excluded."externalID", "displayName" = excluded."displayName", "lastModifiedTime" = excluded."lastModifiedTime",
      "deletedTime" = null`;
}

/** Hides a person from SCIM, and removes them from all groups. */
export async function deleteProfile(db: Db, { id, email }: Person, now: number): Promise<void> {
  await db.$executeRaw`delete from scim_membership where "personID" = ${id}`;
  await db.$executeRaw`
    insert into scim_user ("personID", "userName", "createdTime", "lastModifiedTime", "deletedTime")
    values (${id}, ${email}, ${now}, ${now}, ${now})
    on conflict ("personID") do update set "userNameKey" = null, "externalID" = null, "lastModifiedTime" = ${now}, "deletedTime" = ${now}`;
}

/** The ids of the projects that a person is a member of. */
export async function listProjectIDs(db: Db, personID: string): Promise<string[]> {
  const rows = await db.$queryRaw<{ projectID: string }[]>`
    select member."projectID" from member join project on project.id = member."projectID" and project."deletedTime" is null
    where member.id = ${personID} order by member."projectID"`;
  return rows.map(({ projectID }) => projectID);
}

/** The teams of all projects that contain an address. */
export async function listTeamsWith(db: Db, email: string): Promise<{ projectID: string; id: string }[]> {
  return db.$queryRaw<{ projectID: string; id: string }[]>`
    select team."projectID", team.id from team join project on project.id = team."projectID" and project."deletedTime" is null
    where strpos(lower(entity), ${JSON.stringify(email)}) > 0 order by team."projectID", team.id`;
}

/** Whether a person has signed in with single sign-on. */
export async function hasIdentity(db: Db, personID: string): Promise<boolean> {
  return (await db.$queryRaw<unknown[]>`select 1 from identity where "personID" = ${personID} limit 1`).length > 0;
}
