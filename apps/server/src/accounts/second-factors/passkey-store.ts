import { INSTANCE_PROJECT } from "../../common/context.ts";
import type { Person } from "../../console/people/person.ts";
import { Prisma } from "../../generated/prisma/client.ts";
import { fromText } from "../../store/change-log/entity-text.ts";
import type { Db } from "../../store/database/unit-of-work.ts";

export type Passkey = {
  id: string;
  personID: string;
  name: string;
  /** The COSE key, base64url. */
  publicKey: string;
  counter: number;
  transports: string[];
  isSynced: boolean;
  createdTime: number;
  lastUsedTime: number | null;
};

type Row = Omit<Passkey, "counter" | "createdTime" | "lastUsedTime"> & {
  counter: bigint;
  createdTime: bigint;
  lastUsedTime: bigint | null;
};

const COLUMNS = Prisma.sql`
  passkey.id, passkey."personID", passkey.name, passkey."publicKey", passkey.counter, passkey.transports, passkey."isSynced",
  passkey."createdTime", passkey."lastUsedTime"`;

/** The passkeys of a person, oldest first. */
export async function listPasskeys(db: Db, personID: string): Promise<Passkey[]> {
  const rows = await db.$queryRaw<Row[]>`
    select ${COLUMNS} from passkey where "personID" = ${personID} order by "createdTime", id`;
  return rows.map(toPasskey);
}

/** A passkey with its person. */
export async function findPasskey(db: Db, id: string): Promise<{ passkey: Passkey; person: Person } | undefined> {
  const [row] = await db.$queryRaw<(Row & { entity: string })[]>`
    select ${COLUMNS}, person.entity from passkey
    join person on person."projectID" = ${INSTANCE_PROJECT} and person.id = passkey."personID" where passkey.id = ${id}`;
  if (!row) return undefined;
  const { entity, ...passkey } = row;
  return { passkey: toPasskey(passkey), person: fromText<Person>(entity) };
}

function toPasskey({ counter, createdTime, lastUsedTime, ...row }: Row): Passkey {
  const used = lastUsedTime === null ? null : Number(lastUsedTime);
  return { ...row, counter: Number(counter), createdTime: Number(createdTime), lastUsedTime: used };
}

/** @returns whether it was stored: false if the passkey already exists */
export async function storePasskey(db: Db, passkey: Passkey): Promise<boolean> {
  const { id, personID, name, publicKey, counter, transports, isSynced, createdTime } = passkey;
  const stored = await db.$executeRaw`
    insert into passkey (id, "personID", name, "publicKey", counter, transports, "isSynced", "createdTime")
    values (${id}, ${personID}, ${name}, ${publicKey}, ${counter}, ${transports}::text[], ${isSynced}, ${createdTime})
    on conflict do nothing`;
  return stored > 0;
}

/**
 * Stores the counter of a signature.
 * @returns whether the passkey exists and its counter went up, or is always 0. If two devices have a copy, one of their counters falls behind
 */
export async function usePasskey(db: Db, id: string, counter: number, now: number): Promise<boolean> {
  const used = await db.$executeRaw`
    update passkey set counter = ${counter}, "lastUsedTime" = ${now}
    where id = ${id} and (counter < ${counter} or (counter = 0 and ${counter}::bigint = 0))`;
  return used > 0;
}

/** @returns the renamed passkey. Undefined if the person has no such passkey */
export async function renamePasskey(db: Db, personID: string, id: string, name: string): Promise<Passkey | undefined> {
  const [row] = await db.$queryRaw<Row[]>`
    update passkey set name = ${name} where id = ${id} and "personID" = ${personID} returning ${COLUMNS}`;
  return row && toPasskey(row);
}

/** @returns the deleted passkey. Undefined if the person has no such passkey */
export async function deletePasskey(db: Db, personID: string, id: string): Promise<Passkey | undefined> {
  const [row] = await db.$queryRaw<Row[]>`
    delete from passkey where id = ${id} and "personID" = ${personID} returning ${COLUMNS}`;
  return row && toPasskey(row);
}
