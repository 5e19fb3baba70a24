import { randomBytes } from "node:crypto";
import type { Permission } from "@gatehouse/contract";
import { INSTANCE_PROJECT } from "../common/context.ts";
import { randomID } from "../common/identifier.ts";
import type { SessionLimits } from "../common/session-limits.ts";
import type { Person } from "../console/people/person.ts";
import { Prisma } from "../generated/prisma/client.ts";
import { fromText } from "../store/change-log/entity-text.ts";
import type { Db } from "../store/database/unit-of-work.ts";
import { isCurrent, MAX_SESSIONS, type Place } from "../tokens/person-sessions-store.ts";
import { hasSecondFactor } from "../tokens/second-factor-store.ts";
import { hashSecret } from "../tokens/secret.ts";

/** A session with its person, as the requests of the session need it. */
export type Session = {
  id: string;
  hash: string;
  endsTime: number;
  lastUsedTime: number;
  person: Person;
  hasSecondFactor: boolean;
  /** Whether the person signed in with single sign-on. */
  isSingleSignOn: boolean;
  /** When the person last entered the password, or used a passkey, in this session. Null if they never did. */
  passwordTime: number | null;
  passkeyTime: number | null;
  /** The person's projects; for an administrator every project. */
  projects: Membership[];
};

/** A project, and the person's role in it. It is missing for an administrator who is not a member. */
export type Membership = {
  id: string;
  name: string;
  role: string | null;
  /** The permissions of a custom role. Null for a built-in role. */
  rolePermissions: Permission[] | null;
  /** The only environments where a custom role publishes. Null if it publishes everywhere. */
  rolePublishesIn: string[] | null;
  /** The number of the project's last change when the session was looked up. */
  lastSeq: number;
  isSample: boolean;
};

/** The use of a session is recorded at most once per interval. */
const LAST_USED_INTERVAL_MS = 60_000;
const SECRET_BYTES = 32;
type Row = Pick<Session, "id" | "hash" | "hasSecondFactor" | "isSingleSignOn"> & {
  endsTime: bigint;
  lastUsedTime: bigint;
  passwordTime: bigint | null;
  passkeyTime: bigint | null;
  person: string;
  projects: string | null;
};

/** The only environments where the row `role` publishes. Null if it publishes everywhere, and without a role. */
export const ONLY_IN = Prisma.sql`case when not role."publishesEverywhere" then role."publishesIn" end`;

/** How a person proved their identity at the start of a session. */
export type Proved = Pick<Session, "isSingleSignOn" | "passwordTime" | "passkeyTime">;

/** The sessions with these hashes that have not ended, of people who are active. */
export async function findSessions(db: Db, hashes: string[], now: number, { idleMs }: SessionLimits): Promise<Session[]> {
  const rows = await db.$queryRaw<Row[]>`
    select session.id, session.hash, session."endsTime", session."lastUsedTime", session."isSingleSignOn", session."passwordTime",
      session."passkeyTime", ${hasSecondFactor(Prisma.sql`person.id`)} as "hasSecondFactor", person.entity as person, (
      select json_agg(
        json_build_object(
          'id', project.id, 'name', project.name, 'role', member.role, 'rolePermissions', role.permissions,
          'rolePublishesIn', ${ONLY_IN}, 'lastSeq', project."lastSeq",
          'isSample', exists (select from sample_project where sample_project."projectID" = project.id)
        )
        order by project."createdTime", project.id
      )
      from project
      left join member on member."projectID" = project.id and member.id = person.id
      left join role on role."projectID" = project.id and role.id = member.role
      where project.id <> ${INSTANCE_PROJECT} and project."deletedTime" is null and (member.id is not null or person."isAdministrator")
    )::text as projects
    from session join person on person."projectID" = ${INSTANCE_PROJECT} and person.id = session."personID"
    where session.hash = any(${hashes}::text[]) and ${isCurrent(now, idleMs)} and person."isActive"`;
  return rows.map(({ endsTime, lastUsedTime, passwordTime, passkeyTime, person, projects, ...row }) => ({
    ...row,
    endsTime: Number(endsTime),
    lastUsedTime: Number(lastUsedTime),
    passwordTime: passwordTime === null ? null : Number(passwordTime),
    passkeyTime: passkeyTime === null ? null : Number(passkeyTime),
    person: fromText<Person>(person),
    projects: projects === null ? [] : JSON.parse(projects),
  }));
}

/** Records that a session was used, unless a replica has done so within the last minute. */
export async function noteSessionUse(db: Db, { id, lastUsedTime }: Session, now: number): Promise<void> {
  const before = now - LAST_USED_INTERVAL_MS;
  if (lastUsedTime > before) return;
  await db.$executeRaw`update session set "lastUsedTime" = ${now} where id = ${id} and "lastUsedTime" <= ${before}`;
}

/**
 * Starts a session with the next statement of the transaction, and ends the person's oldest ones beyond the limit.
 * @returns its secret, which is not stored, and its hash
 */
export function startSession(
  db: Db,
  personID: string,
  place: Place,
  now: number,
  { longestMs }: SessionLimits,
  { isSingleSignOn, passwordTime, passkeyTime }: Proved = { isSingleSignOn: false, passwordTime: now, passkeyTime: null },
) {
  const secret = randomBytes(SECRET_BYTES).toString("base64url");
  const hash = hashSecret(secret);
  const id = randomID();
  db.$defer(Prisma.sql`
    delete from session where "personID" = ${personID} and id in (
      select id from session where "personID" = ${personID} order by "createdTime" desc, id offset ${MAX_SESSIONS - 1}
    )`);
  db.$defer(Prisma.sql`
    insert into session (
      id, hash, "personID", "createdTime", "lastUsedTime", "endsTime", address, "userAgent", "isSingleSignOn", "passwordTime", "passkeyTime"
    )
    values (
      ${id}, ${hash}, ${personID}, ${now}, ${now}, ${now + longestMs}, ${place.address}, ${place.userAgent}, ${isSingleSignOn}, ${passwordTime},
      ${passkeyTime}
    )`);
  return { id, secret, hash };
}

/** Records that the person entered the password or used a passkey in a session. */
export async function confirmSession(db: Db, id: string, by: "password" | "passkey", now: number): Promise<void> {
  if (by === "password") await db.$executeRaw`update session set "passwordTime" = ${now} where id = ${id}`;
  else await db.$executeRaw`update session set "passkeyTime" = ${now} where id = ${id}`;
}

/** Deletes sessions that have ended. */
export async function deleteEndedSessions(db: Db, now: number, { idleMs }: SessionLimits): Promise<void> {
  await db.$executeRaw`delete from session where not (${isCurrent(now, idleMs)})`;
}
