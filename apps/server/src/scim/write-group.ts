import { randomID } from "../common/identifier.ts";
import { recordAuditEvent } from "../store/change-log/audit-event.ts";
import { followGroups, listAffected } from "./follow-groups.ts";
import { type GroupAttributes, MAX_MEMBERS } from "./group-changes.ts";
import type { ScimEnv } from "./scim-env.ts";
import { missing, refuse, ScimError, taken } from "./scim-error.ts";
import {
  changeMembers,
  countGroups,
  countMemberships,
  deleteGroup as deleteRows,
  findGroup,
  type Group,
  isNameTaken,
  listMembers,
  listUnknownUsers,
  saveGroup,
} from "./scim-group-store.ts";

const MAX_GROUPS = 1_000;
const MAX_MEMBERSHIPS = 100_000;

/** A group with the ids of its members. */
type State = { group: Group; members: ReadonlySet<string> };

/** @throws ScimError not_found */
export async function getGroup({ db }: Pick<ScimEnv, "db">, id: string): Promise<Group> {
  const group = await findGroup(db, id);
  if (!group) throw missing("Group", id);
  return group;
}

/** @throws ScimError not_found, conflict, invalid_request */
export async function createGroup(given: GroupAttributes, env: ScimEnv): Promise<Group> {
  const { db, context } = env;
  if ((await countGroups(db)) >= MAX_GROUPS) throw new ScimError("conflict", `There can be at most ${MAX_GROUPS} groups.`);
  const { now } = context;
  const group = { id: randomID(), displayName: given.displayName, externalID: given.externalID, createdTime: now, lastModifiedTime: now };
  await write(null, { group, members: given.members }, env);
  return group;
}

/** Changes a group. @param change returns the new attributes from the current ones. @throws ScimError not_found, conflict, invalid_request */
export async function changeGroup(id: string, change: (group: GroupAttributes) => GroupAttributes, env: ScimEnv): Promise<Group> {
  const before = await readState(id, env);
  const { displayName, externalID, members } = change({ ...before.group, members: before.members });
  const group = { ...before.group, displayName, externalID, lastModifiedTime: env.context.now };
  await write(before, { group, members }, env);
  return group;
}

/** @throws ScimError not_found, conflict */
export async function deleteGroup(id: string, env: ScimEnv): Promise<void> {
  const before = await readState(id, env);
  await deleteRows(env.db, id);
  await note(before.group, before, null, env);
  await followChange(before, null, env);
}

async function readState(id: string, env: ScimEnv): Promise<State> {
  const group = await getGroup(env, id);
  const members = (await listMembers(env.db, [id])).get(id) ?? [];
  return { group, members: new Set(members.map(({ personID }) => personID)) };
}

async function write(before: State | null, after: State, env: ScimEnv): Promise<void> {
  const { db } = env;
  const { group } = after;
  const { added, removed } = compareMembers(before, after);
  const isRenamed = before?.group.displayName !== group.displayName;
  if (before && !isRenamed && before.group.externalID === group.externalID && added.length + removed.length === 0) return;
  if (isRenamed && (await isNameTaken(db, group.displayName, group.id)))
    throw taken(`A group with the displayName ${group.displayName} already exists.`);
  if (added.length > 0) await requireMembers(after, added, env);
  await saveGroup(db, group);
  await changeMembers(db, group.id, { added, removed });
  await note(group, before, after, env);
  await followChange(before, after, env);
}

function compareMembers(before: State | null, after: State | null): { added: string[]; removed: string[] } {
  const [earlier, later] = [before, after].map((state) => state?.members ?? new Set<string>()) as [
    ReadonlySet<string>,
    ReadonlySet<string>,
  ];
  return { added: [...later].filter((id) => !earlier.has(id)), removed: [...earlier].filter((id) => !later.has(id)) };
}

/** @throws ScimError if members are not users, or a limit is exceeded */
async function requireMembers({ members }: State, added: string[], { db }: ScimEnv): Promise<void> {
  if (members.size > MAX_MEMBERS) throw new ScimError("conflict", `A group can have at most ${MAX_MEMBERS} members.`);
  const unknown = await listUnknownUsers(db, added);
  if (unknown.length > 0) throw refuse("invalidValue", `members contains ids of users that do not exist: ${unknown.join(", ")}.`);
  if ((await countMemberships(db)) + added.length > MAX_MEMBERSHIPS)
    throw new ScimError("conflict", `All groups together can have at most ${MAX_MEMBERSHIPS} members.`);
}

/** Notes a change of a group in the audit log of the instance. */
function note({ id, displayName }: Group, before: State | null, after: State | null, { db, context }: ScimEnv): Promise<void> {
  const { added, removed } = compareMembers(before, after);
  const details = {
    displayName,
    ...(before && before.group.displayName !== displayName && { earlierName: before.group.displayName }),
    membersAdded: added.length,
    membersRemoved: removed.length,
  };
  return recordAuditEvent(db, { ...context, entityType: "scim_group", entityID: id, details });
}

async function followChange(before: State | null, after: State | null, env: ScimEnv): Promise<void> {
  if (!env.roles) return;
  const named = (state: State | null) => state && { displayName: state.group.displayName, members: state.members };
  await followGroups(listAffected(named(before), named(after), env.roles), env);
}
