import { endAccess } from "../accounts/end-access.ts";
import { deletePassword } from "../accounts/password-store.ts";
import { normalizeEmail, readEmail } from "../common/email.ts";
import { modified } from "../console/common/stamp.ts";
import { administers, changePerson, newPerson, type Person } from "../console/people/person.ts";
import { lastAdministrator } from "./follow-groups.ts";
import { openStores, type ScimEnv } from "./scim-env.ts";
import { missing, refuse, taken } from "./scim-error.ts";
import {
  deleteProfile,
  findByUserName,
  findUser,
  hasIdentity,
  isDeleted,
  listProjectIDs,
  listTeamsWith,
  type Profile,
  saveProfile,
  type User,
} from "./scim-user-store.ts";
import type { UserAttributes, UserChanges } from "./user-changes.ts";

const TAKEN_OVER = "SCIM now manages this person. This removed the password, second factors, sessions, and one-time links.";

/** @throws ScimError not_found */
export async function getUser({ db }: Pick<ScimEnv, "db">, id: string): Promise<User> {
  const user = await findUser(db, id);
  if (!user) throw missing("User", id);
  return user;
}

type NewUser = Omit<UserAttributes, "active"> & { active?: boolean };

/** Creates a person, or brings back a deleted user. @throws ScimError conflict, invalid_request */
export async function createUser({ active = true, ...given }: NewUser, env: ScimEnv): Promise<User> {
  const { db, context } = env;
  const { people } = openStores(env);
  const email = findAddress(given);
  await requireFreeName(given.userName, null, env);
  const found = await people.findByEmail(email);
  if (found && !(await isDeleted(db, found.id))) throw addressTaken(email);
  const attributes = { email, firstName: given.givenName, lastName: given.familyName, isActive: active, isProvisioned: true };
  const person = found ? await bringBack(found.id) : await people.create(newPerson(attributes, context, context.actor));
  await saveProfile(db, person.id, toProfile(given), context.now);
  return getUser(env, person.id);

  async function bringBack(id: string): Promise<Person> {
    const deleted = await people.get(id, { lock: true });
    await endStrangersAccess(deleted, env);
    return people.replace(deleted, changePerson(deleted, attributes, context));
  }
}

/** Changes a user. After that, the person is managed by SCIM. @throws ScimError not_found, conflict, invalid_request */
export async function changeUser(id: string, changes: UserChanges, env: ScimEnv): Promise<User> {
  const { db, context } = env;
  const { people } = openStores(env);
  const { profile } = await getUser(env, id);
  const person = await people.get(id, { lock: true });
  const attributes = { ...toAttributes(person, profile), ...changes };
  const email = findAddress(attributes);
  if (attributes.userName !== (profile?.userName ?? person.email)) await requireFreeName(attributes.userName, id, env);
  const changed = changePerson(
    person,
    { email, firstName: attributes.givenName, lastName: attributes.familyName, isActive: attributes.active, isProvisioned: true },
    context,
  );
  if (differs(person, changed)) await replacePerson(person, changed, env);
  const after = toProfile(attributes);
  if (JSON.stringify(after) !== JSON.stringify(profile)) await saveProfile(db, id, after, context.now);
  return getUser(env, id);
}

/** Deactivates a person, removes them from groups and projects, and hides them from SCIM. @throws ScimError not_found, conflict */
export async function deleteUser(id: string, env: ScimEnv): Promise<void> {
  const { db, context } = env;
  await getUser(env, id);
  const person = await openStores(env).people.get(id, { lock: true });
  await replacePerson(person, changePerson(person, { isActive: false, isAdministrator: false, isProvisioned: false }, context), env);
  for (const projectID of await listProjectIDs(db, id)) {
    const { members } = openStores(env, projectID);
    const member = await members.find(id);
    if (member) await members.delete(member);
  }
  deletePassword(db, person);
  await deleteProfile(db, person, context.now);
}

async function replacePerson(before: Person, after: Person, env: ScimEnv): Promise<void> {
  const { people } = openStores(env);
  if (administers(before) && !administers(after) && (await people.isLastAdministrator(before))) throw lastAdministrator(before);
  if (after.email !== before.email) await changeAddress(before.email, after.email, env);
  const isTakenOver = !before.isProvisioned && after.isProvisioned && (await endStrangersAccess(before, env));
  await people.replace(before, after, isTakenOver ? { reason: TAKEN_OVER } : {});
}

/**
 * Ends all access to an account that an identity provider takes over, since another person may have registered the address. An account that
 * is linked to single sign-on belongs to the person, and an administrator's account gains no rights.
 * @returns whether access was ended
 */
async function endStrangersAccess(person: Person, { db }: ScimEnv): Promise<boolean> {
  if (administers(person) || (await hasIdentity(db, person.id))) return false;
  await endAccess(db, person);
  return true;
}

/** Changes an address in the teams of all projects. @throws ScimError conflict if another person has it */
async function changeAddress(before: string, after: string, env: ScimEnv): Promise<void> {
  if (await openStores(env).people.findByEmail(after)) throw addressTaken(after);
  for (const { projectID, id } of await listTeamsWith(env.db, before)) {
    const { teams } = openStores(env, projectID);
    const team = await teams.get(id);
    const renamed = <One extends { email: string }>(list: One[]) =>
      list.map((user) => (normalizeEmail(user.email) === before ? { ...user, email: after } : user));
    await teams.replace(team, { ...team, members: renamed(team.members), admins: renamed(team.admins), ...modified(team, env.context) });
  }
}

/** The person's address: `userName` if it is an address, or else the one in `emails`. @throws ScimError invalidValue */
function findAddress({ userName, email }: Pick<UserAttributes, "userName" | "email">): string {
  const address = readEmail(userName) ?? (email === null ? undefined : readEmail(email));
  if (address === undefined)
    throw refuse("invalidValue", "userName, or the primary value of emails, must be an email address of at most 254 ASCII characters.");
  return address;
}

async function requireFreeName(userName: string, personID: string | null, { db }: ScimEnv): Promise<void> {
  const owner = await findByUserName(db, userName);
  if (owner !== undefined && owner !== personID) throw taken(`A user with the userName ${userName} already exists.`);
}

function addressTaken(email: string) {
  return taken(`A user with the address ${email} already exists.`);
}

function toAttributes({ email, firstName, lastName, isActive }: Person, profile: Profile | null): UserAttributes {
  const { userName = email, externalID = null, displayName = null } = profile ?? {};
  return { userName, email, externalID, displayName, givenName: firstName, familyName: lastName, active: isActive };
}

function toProfile({ userName, externalID, displayName }: Profile): Profile {
  return { userName, externalID, displayName };
}

const COMPARED = ["email", "firstName", "lastName", "isActive", "isProvisioned"] as const;

function differs(one: Person, other: Person): boolean {
  return COMPARED.some((field) => one[field] !== other[field]);
}
