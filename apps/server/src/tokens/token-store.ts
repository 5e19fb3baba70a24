import type { Schema } from "@gatehouse/contract/console";
import { INSTANCE_PROJECT } from "../common/context.ts";
import { randomID } from "../common/identifier.ts";
import { HOUR_MS } from "../common/utc-day.ts";
import { Prisma } from "../generated/prisma/client.ts";
import { fromText } from "../store/change-log/entity-text.ts";
import type { Db } from "../store/database/unit-of-work.ts";
import { hashSecret } from "./secret.ts";

/** How long a token can be redeemed. */
export const TOKEN_HOURS = 72;

/** The effect of redeeming a token: it creates a server administrator, or sets the password of its person. */
export type Purpose = "administrator" | "invitation" | "password_reset";

export type Token = { id: string; purpose: Purpose; personID: string | null };

/** A token and its secret, which is stored nowhere. */
export type NewToken = { id: string; secret: string; endsTime: number };

type Origin = {
  /** The project of an invitation. */
  projectID: string | null;
  /** Whether a server administrator or the operator makes it. */
  isByAdministrator: boolean;
  /** How long it can be redeemed. */
  hours?: number;
};
const OF_OPERATOR: Origin = { projectID: null, isByAdministrator: true };

/** Creates a token with the commit of the transaction. Only an administrator's token is for no person. */
export function createToken(
  db: Db,
  purpose: Purpose,
  personID: string | null,
  now: number,
  { projectID, isByAdministrator, hours = TOKEN_HOURS } = OF_OPERATOR,
): NewToken {
  const id = randomID();
  const secret = `once-${randomID()}${randomID()}`;
  const endsTime = now + hours * HOUR_MS;
  db.$defer(Prisma.sql`
    insert into one_time_token ("id", "hash", "purpose", "personID", "projectID", "createdTime", "endsTime", "isByAdministrator")
    values (${id}, ${hashSecret(secret)}, ${purpose}, ${personID}, ${projectID}, ${now}, ${endsTime}, ${isByAdministrator})`);
  return { id, secret, endsTime };
}

type Person = Schema<"Person">;

type Use = Schema<"OneTimeToken">;

export type Redeemable = {
  token: Token;
  /** The person whose password the token sets. Undefined where it makes a new one an administrator. */
  person: Person | undefined;
};

/** The password reset links that a person requested by their address, and that still work. */
export async function countRequestedResets(db: Db, personID: string, now: number): Promise<number> {
  const [{ count }] = await db.$queryRaw<[{ count: number }]>`
    select count(*)::int as count from one_time_token
    where "personID" = ${personID} and purpose = 'password_reset' and not "isByAdministrator" and "endsTime" > ${now}`;
  return count;
}

/** The token of a secret, as long as the owner of an address can redeem it. @param email in lower case */
export async function findRedeemable(db: Db, secret: string, email: string, now: number): Promise<Redeemable | undefined> {
  const rows = await db.$queryRaw<(Token & { entity: string | null })[]>`
    select token."id", "purpose", "personID", "entity" from one_time_token as token
    left join person on person."projectID" = ${INSTANCE_PROJECT} and person."email" = ${email}
    where token."hash" = ${hashSecret(secret)} and "endsTime" > ${now}`;
  const [row] = rows;
  if (!row) return undefined;
  const { entity, ...token } = row;
  const person = entity === null ? undefined : fromText<Person>(entity);
  return token.personID === (person?.id ?? null) && person?.isActive !== false ? { token, person } : undefined;
}

/** The use of a secret's token that still works. */
export async function findUse(db: Db, secret: string, now: number): Promise<Use | undefined> {
  const rows = await db.$queryRaw<(Omit<Use, "invitedBy" | "expiresTime"> & { endsTime: bigint; member: string | null })[]>`
    select purpose, person.email, project.name as "projectName", "endsTime", member.entity as member from one_time_token as token
    left join person on person."projectID" = ${INSTANCE_PROJECT} and person.id = token."personID"
    left join project on project.id = token."projectID" and project."deletedTime" is null
    left join member on member."projectID" = project.id and member.id = person.id
    where token."hash" = ${hashSecret(secret)} and "endsTime" > ${now} and (person.id is null or person."isActive")`;
  const [row] = rows;
  if (!row) return undefined;
  const { endsTime, member, ...use } = row;
  const { creatorName, creatorEmail } = member === null ? {} : fromText<Partial<Schema<"Member">>>(member);
  return { ...use, invitedBy: creatorName || creatorEmail || null, expiresTime: Number(endsTime) };
}

/**
 * Deletes the token, and others with the same effect: all of its person, or all that would create an administrator.
 * @returns whether it existed, which is true for one of several requests at once
 */
export async function takeToken(db: Db, { id, purpose, personID }: Token): Promise<boolean> {
  const others = personID === null ? Prisma.sql`"purpose" = ${purpose}` : Prisma.sql`"personID" = ${personID}`;
  const rows = await db.$queryRaw<{ id: string }[]>`delete from one_time_token where "id" = ${id} or ${others} returning "id"`;
  return rows.some((row) => row.id === id);
}

/** Whether anybody administers the instance. */
export async function hasAdministrator(db: Db): Promise<boolean> {
  const rows = await db.$queryRaw`
    select 1 from person where "projectID" = ${INSTANCE_PROJECT} and "isAdministrator" and "isActive" limit 1`;
  return rows.length > 0;
}

/** Takes a person's invitations to a project away, with the next statement of the transaction. */
export function deleteInvitations(db: Db, projectID: string, personID: string): void {
  db.$defer(Prisma.sql`
    delete from one_time_token where "projectID" = ${projectID} and "personID" = ${personID} and "purpose" = 'invitation'`);
}

/** Takes all tokens of a person away, with the next statement of the transaction. */
export function deleteTokens(db: Db, personID: string): void {
  db.$defer(Prisma.sql`delete from one_time_token where "personID" = ${personID}`);
}

/**
 * Deletes the tokens of people who get further rights, with the next statement of the transaction: creators of tokens could keep them, and
 * gain the rights. Tokens from server administrators stay. @param people the rest of a select of their ids after `select`
 */
export function deleteTokensOfPromoted(db: Db, people: Prisma.Sql): void {
  db.$defer(Prisma.sql`delete from one_time_token where not "isByAdministrator" and "personID" in (select ${people})`);
}

/** Deletes tokens that were not redeemed in time. */
export async function deleteExpiredTokens(db: Db, now: number): Promise<void> {
  await db.$executeRaw`delete from one_time_token where "endsTime" <= ${now}`;
}
