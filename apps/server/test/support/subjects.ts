import { setPassword } from "../../src/accounts/password-store.ts";
import { hashPassword } from "../../src/accounts/passwords.ts";
import { replaceRecoveryCodes } from "../../src/accounts/second-factors/recovery-code-store.ts";
import { startTotp } from "../../src/accounts/second-factors/totp-store.ts";
import { startSession } from "../../src/accounts/session-store.ts";
import type { PERMISSIONS } from "../../src/common/permissions.ts";
import { systemContext } from "../../src/common/system-context.ts";
import { newMember } from "../../src/console/members/member.ts";
import { newPerson } from "../../src/console/people/person.ts";
import { newRole } from "../../src/console/roles/role.ts";
import { createStores } from "../../src/console/stores.ts";
import { createChangeLog } from "../../src/store/change-log/change-log.ts";
import { type Db, writing } from "../../src/store/database/unit-of-work.ts";
import { createToken } from "../../src/tokens/token-store.ts";
import type { TestServer } from "./server.ts";
import { asPerson } from "./sessions.ts";

export type Permission = (typeof PERMISSIONS)[number];

/** A right of a person: `default read` for a permission in a project, or the administration of the instance. */
export type Right = `${string} ${Permission}` | typeof ADMINISTRATION;
export const ADMINISTRATION = "administration of the instance";

/** A person that a caller acts on, without a password unless `canSignIn`. */
type Kind = {
  /** The role in the project of the caller: a built-in one, or the permissions of one that is made for the person. */
  role?: string | Permission[];
  /** The role in the project `other`. */
  roleElsewhere?: string;
  isAdministrator?: true;
  canSignIn?: true;
};

export const KINDS = {
  "a pending Viewer": { role: "Viewer" },
  "a pending Admin": { role: "Admin" },
  "a person with a weak role": { role: ["read"] },
  "a person with a strong role": { role: ["read", "manage_keys"] },
  "an Admin who can sign in": { role: "Admin", canSignIn: true },
  "a pending Viewer who is Admin elsewhere": { role: "Viewer", roleElsewhere: "Admin" },
  "a pending Viewer who administers the instance": { role: "Viewer", isAdministrator: true },
  "a pending Admin of another project": { roleElsewhere: "Admin" },
} satisfies Record<string, Kind>;

export type KindName = keyof typeof KINDS;

export type Subject = { id: string; email: string; role: string; invitation: string; session: string; headers: Record<string, string> };

let count = 0;

/** Creates a person with an invitation to each of their projects, and a session that shows tests the person's rights. */
export async function makeSubject({ database, clock }: TestServer, kind: Kind): Promise<Subject> {
  count += 1;
  const email = `subject${count}@example.com`;
  const hash = kind.canSignIn && (await hashPassword("correct horse battery staple"));
  return writing(database, async (db) => {
    const own = openStores(db, "default", clock.now);
    const names = { firstName: "Subject", lastName: `${count}` };
    const given = newPerson({ email, ...names, isAdministrator: kind.isAdministrator ?? false }, own.context, own.context.actor);
    const person = await own.stores.people.create(given);
    const role = typeof kind.role === "object" ? `Role ${count}` : (kind.role ?? "");
    if (typeof kind.role === "object") {
      const permissions = Object.fromEntries(kind.role.map((one) => [one, true]));
      await own.stores.roles.create(newRole({ name: role, permissions }, own.context));
    }
    const roles = { default: role, other: kind.roleElsewhere ?? "" };
    const invitations: string[] = [];
    for (const [project, name] of Object.entries(roles)) {
      if (name === "") continue;
      const { stores, context } = openStores(db, project, clock.now);
      await stores.members.create(newMember(person, name, context));
      invitations.push(createToken(db, "invitation", person.id, clock.now, { projectID: project, isByAdministrator: true }).id);
    }
    if (hash) setPassword(db, person, hash, clock.now);
    const limits = { idleMs: Number.MAX_SAFE_INTEGER, longestMs: 14 * 24 * 60 * 60 * 1000 };
    const { id: session, secret } = startSession(db, person.id, { address: null, userAgent: null }, clock.now, limits);
    await addFactors(db, person.id, own.context.now);
    return { id: person.id, email, role, invitation: invitations[0] ?? "absent", session, headers: asPerson(secret) };
  });
}

function openStores(db: Db, projectID: string, now: number) {
  const context = systemContext("test", now, projectID);
  return { context, stores: createStores({ db, context, log: createChangeLog(db, context) }) };
}

type Account = {
  person: { isAdministrator: boolean };
  projects: { id: string; permissions: Record<string, boolean> }[];
};

/** The rights of an account, as its session shows them. */
export function listRights({ person, projects }: Account): Right[] {
  const permitted = projects.flatMap(({ id, permissions }) =>
    Object.entries(permissions).flatMap(([name, has]) => (has ? [`${id} ${name as Permission}` as const] : [])),
  );
  return person.isAdministrator ? [ADMINISTRATION, ...permitted] : permitted;
}

/** The rights of a session; none if it has ended. */
export async function rightsOfSession({ send }: TestServer, headers: Record<string, string>): Promise<Right[]> {
  const { status, body } = await send("GET", "/console/v1/session", { key: null, headers });
  return status === 200 ? listRights(body.data) : [];
}

/** Every way to sign in as a person, and the person's names. */
export async function accessTo({ database: { db } }: TestServer, { id }: Subject) {
  const [row] = await db.$queryRaw<{ person: string; credentials: unknown[]; factors: unknown[]; sessions: unknown[] }[]>`
    select entity as person, array(
      select hash from password where "personID" = ${id} union all select subject from identity where "personID" = ${id}
    ) as credentials, array(
      select hash from recovery_code where "personID" = ${id} union all select secret from totp where "personID" = ${id}
    ) as factors, array(select hash from session where "personID" = ${id}) as sessions from person where id = ${id}`;
  const { firstName, lastName, email } = JSON.parse(row?.person ?? "{}");
  return { firstName, lastName, email, credentials: row?.credentials, factors: row?.factors, sessions: row?.sessions };
}

/** The same after all sessions of the person have ended. */
export function withoutSessions(access: Awaited<ReturnType<typeof accessTo>>): typeof access {
  return { ...access, sessions: [] };
}

/** The same after all second factors of the person were removed. */
export function withoutFactors(access: Awaited<ReturnType<typeof accessTo>>): typeof access {
  return { ...access, factors: [] };
}

/** Gives a person recovery codes and an authenticator app. Their links need none of them, since the app is not confirmed. */
async function addFactors(db: Db, personID: string, now: number): Promise<void> {
  await startTotp(db, personID, "encrypted", now);
  await replaceRecoveryCodes(db, personID, ["hash"]);
}
