import { INSTANCE_PROJECT } from "../common/context.ts";
import type { Person } from "../console/people/person.ts";
import { Prisma } from "../generated/prisma/client.ts";
import { fromText } from "../store/change-log/entity-text.ts";
import type { Db } from "../store/database/unit-of-work.ts";
import { type FilterColumn, type FilterColumns, toCondition } from "./filter-store.ts";
import type { Filter } from "./parse-filter.ts";
import type { Page } from "./scim-user-store.ts";

export type Group = { id: string; displayName: string; externalID: string | null; createdTime: number; lastModifiedTime: number };

/** A member of a group, as responses show it. */
export type GroupMember = { personID: string; userName: string };

type Row = Omit<Group, "createdTime" | "lastModifiedTime"> & { createdTime: bigint; lastModifiedTime: bigint };

/** The form that makes names of groups unique. */
function toKey(displayName: string): string {
  return displayName.toLowerCase();
}

const COLUMNS = Prisma.sql`scim_group.id, "displayName", "externalID", "createdTime", "lastModifiedTime"`;

const ofMembers: FilterColumn = {
  type: "any",
  where: (condition) => Prisma.sql`(scim_group.id in (select "groupID" from scim_membership where ${condition(Prisma.sql`"personID"`)}))`,
};

const FILTERS: FilterColumns = new Map<string, FilterColumn>([
  ["id", { type: "exact", sql: Prisma.sql`scim_group.id` }],
  ["displayname", { type: "indexed", sql: Prisma.sql`"displayName"`, equals: (value) => Prisma.sql`("nameKey" = ${toKey(value)})` }],
  ["externalid", { type: "exact", sql: Prisma.sql`"externalID"` }],
  ["members", ofMembers],
  ["members.value", ofMembers],
  ["meta.created", { type: "time", sql: Prisma.sql`"createdTime"` }],
  ["meta.lastmodified", { type: "time", sql: Prisma.sql`"lastModifiedTime"` }],
]);

/**
 * The groups that match, oldest first.
 * @param mostMembers of all groups on the page; the first group is returned in any case
 */
export async function listGroups(
  db: Db,
  filter: Filter | undefined,
  { skip, take }: Page,
  mostMembers: number,
): Promise<{ groups: Group[]; total: number }> {
  const condition = filter ? toCondition(filter, FILTERS) : Prisma.sql`true`;
  const [counted] = await db.$queryRaw<{ total: number }[]>`select count(*)::int as total from scim_group where ${condition}`;
  const rows = await db.$queryRaw<(Row & { members: number })[]>`
    select ${COLUMNS}, (select count(*)::int from scim_membership where "groupID" = scim_group.id) as members
    from scim_group where ${condition} order by "createdTime", id limit ${take} offset ${skip}`;
  let sum = 0;
  const fitting = rows.filter(({ members }, index) => {
    sum += members;
    return index === 0 || sum <= mostMembers;
  });
  return { groups: fitting.map(toGroup), total: counted?.total ?? 0 };
}

/** @param except the id of a group that can have the name */
export async function isNameTaken(db: Db, displayName: string, except: string | null): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    select 1 from scim_group where "nameKey" = ${toKey(displayName)} and id is distinct from ${except}`;
  return rows.length > 0;
}

export async function findGroup(db: Db, id: string): Promise<Group | undefined> {
  const rows = await db.$queryRaw<Row[]>`select ${COLUMNS} from scim_group where id = ${id}`;
  return rows[0] && toGroup(rows[0]);
}

function toGroup({ id, displayName, externalID, createdTime, lastModifiedTime }: Row): Group {
  return { id, displayName, externalID, createdTime: Number(createdTime), lastModifiedTime: Number(lastModifiedTime) };
}

/** The members of groups, by the id of the group. */
export async function listMembers(db: Db, groupIDs: string[]): Promise<Map<string, GroupMember[]>> {
  const members = new Map<string, GroupMember[]>(groupIDs.map((id) => [id, []]));
  if (groupIDs.length === 0) return members;
  const rows = await db.$queryRaw<(GroupMember & { groupID: string })[]>`
    select "groupID", scim_membership."personID", coalesce(scim_user."userName", person.email) as "userName" from scim_membership
    join person on person."projectID" = ${INSTANCE_PROJECT} and person.id = scim_membership."personID"
    left join scim_user on scim_user."personID" = person.id
    where "groupID" = any(${groupIDs}::text[]) order by "groupID", scim_membership."personID"`;
  for (const { groupID, personID, userName } of rows) members.get(groupID)?.push({ personID, userName });
  return members;
}

export async function countGroups(db: Db): Promise<number> {
  const [counted] = await db.$queryRaw<{ count: number }[]>`select count(*)::int as count from scim_group`;
  return counted?.count ?? 0;
}

export async function countMemberships(db: Db): Promise<number> {
  const [counted] = await db.$queryRaw<{ count: number }[]>`select count(*)::int as count from scim_membership`;
  return counted?.count ?? 0;
}

/** The ids that belong to no user, at most ten. */
export async function listUnknownUsers(db: Db, ids: string[]): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    select given.id from unnest(${ids}::text[]) as given (id) where not exists (
      select 1 from person left join scim_user on scim_user."personID" = person.id
      where person."projectID" = ${INSTANCE_PROJECT} and person.id = given.id and scim_user."deletedTime" is null
    ) order by given.id limit 10`;
  return rows.map(({ id }) => id);
}

export async function saveGroup(db: Db, { id, displayName, externalID, createdTime, lastModifiedTime }: Group): Promise<void> {
  await db.$executeRaw`
    insert into scim_group (id, "displayName", "nameKey", "externalID", "createdTime", "lastModifiedTime")
    values (${id}, ${displayName}, ${toKey(displayName)}, ${externalID}, ${createdTime}, ${lastModifiedTime})
    on conflict (id) do update set "displayName" = excluded."displayName", "nameKey" = excluded."nameKey",
      "externalID" = excluded."externalID", "lastModifiedTime" = excluded."lastModifiedTime"`;
}

export async function changeMembers(db: Db, groupID: string, { added, removed }: { added: string[]; removed: string[] }): Promise<void> {
  if (removed.length > 0)
    await db.$executeRaw`delete from scim_membership where "groupID" = ${groupID} and "personID" = any(${removed}::text[])`;
  if (added.length > 0)
    await db.$executeRaw`
      insert into scim_membership ("groupID", "personID") select ${groupID}, unnest(${added}::text[]) on conflict do nothing`;
}

export async function deleteGroup(db: Db, id: string): Promise<void> {
  await db.$executeRaw`delete from scim_membership where "groupID" = ${id}`;
  await db.$executeRaw`delete from scim_group where id = ${id}`;
}

/** A person with the role that they have in a project, and the mapped groups that they are in. */
export type Grouped = { person: Person; role: string | null; groups: string[] };

/** @param names of the mapped groups */
export async function listGrouped(db: Db, personIDs: string[], names: string[], projectID: string): Promise<Grouped[]> {
  const rows = await db.$queryRaw<{ entity: string; role: string | null; groups: string[] }[]>`
    select person.entity, member.role, array(
      select scim_group."displayName" from scim_membership join scim_group on scim_group.id = scim_membership."groupID"
      where scim_membership."personID" = person.id and scim_group."displayName" = any(${names}::text[])
    ) as groups
    from person left join member on member."projectID" = ${projectID} and member.id = person.id
    where person."projectID" = ${INSTANCE_PROJECT} and person.id = any(${personIDs}::text[]) order by person.id`;
  return rows.map(({ entity, ...row }) => ({ person: fromText<Person>(entity), ...row }));
}
