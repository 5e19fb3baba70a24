import { randomID } from "../../common/identifier.ts";
import { HOUR_MS } from "../../common/utc-day.ts";
import { Prisma } from "../../generated/prisma/client.ts";
import type { Db } from "../../store/database/unit-of-work.ts";
import { hashSecret } from "../../tokens/secret.ts";
import type { Approval, DeviceLogin } from "./device-login.ts";

/** Maximum number of open device logins, across all replicas. */
const MAX_OPEN = 1_000;
/** How long an ended login is kept, so that the device learns how it ended. */
const RETENTION_MS = HOUR_MS;

type New = Pick<DeviceLogin, "host" | "address" | "createdTime" | "endsTime"> & { deviceCode: string; userCode: string };

/** @returns when another login can be started if too many are open now, ms since the epoch */
export async function nextStart(db: Db, now: number): Promise<number | undefined> {
  const [row] = await db.$queryRaw<{ endsTime: bigint }[]>`
    select "endsTime" from device_login where "endsTime" > ${now} and state = 'pending' order by "endsTime" desc offset ${MAX_OPEN - 1} limit 1`;
  return row && Number(row.endsTime);
}

/** Stores a login. @returns whether its code was free */
export async function insertDeviceLogin(db: Db, login: New): Promise<boolean> {
  const { deviceCode, userCode, host, address, createdTime, endsTime } = login;
  const count = await db.$executeRaw`
    insert into device_login (id, hash, "userCode", host, address, "createdTime", "endsTime", state)
    values (${randomID()}, ${hashSecret(deviceCode)}, ${userCode}, ${host}, ${address}, ${createdTime}, ${endsTime}, 'pending')
    on conflict do nothing`;
  return count > 0;
}

export const byDeviceCode = (code: string): Prisma.Sql => Prisma.sql`hash = ${hashSecret(code)}`;
export const byID = (id: string): Prisma.Sql => Prisma.sql`id = ${id}`;
/** An open login, which one person can decide. */
export const openByUserCode = (code: string, now: number): Prisma.Sql =>
  Prisma.sql`"userCode" = ${code} and state = 'pending' and "endsTime" > ${now}`;

type Row = Omit<DeviceLogin, "createdTime" | "endsTime" | "polledTime" | "approval"> & {
  createdTime: bigint;
  endsTime: bigint;
  polledTime: bigint | null;
  personID: string | null;
  projectID: string | null;
  access: Approval["access"] | null;
  keyDays: number | null;
};

/** @param lock whether to lock the login until the transaction ends, so that one request decides or redeems it */
export async function findDeviceLogin(db: Db, where: Prisma.Sql, { lock = false } = {}): Promise<DeviceLogin | undefined> {
  const locked = lock ? Prisma.sql`for update` : Prisma.empty;
  const [row] = await db.$queryRaw<Row[]>`
    select id, host, address, "createdTime", "endsTime", "polledTime", state, "personID", "projectID", access, "keyDays"
    from device_login where ${where} ${locked}`;
  if (!row) return undefined;
  const { personID, projectID, access, keyDays, createdTime, endsTime, polledTime, ...login } = row;
  const isApproved = personID !== null && projectID !== null && access !== null && keyDays !== null;
  return {
    ...login,
    createdTime: Number(createdTime),
    endsTime: Number(endsTime),
    polledTime: polledTime === null ? null : Number(polledTime),
    approval: isApproved ? { personID, projectID, access, keyDays } : null,
  };
}

/** Notes that the device asked. Within the interval, leaves the earlier time. @returns that time; undefined if this one was noted */
export async function notePoll(db: Db, id: string, now: number, intervalMs: number): Promise<number | undefined> {
  const noted = await db.$executeRaw`
    update device_login set "polledTime" = ${now}
    where id = ${id} and ("polledTime" is null or "polledTime" <= ${now - intervalMs})`;
  if (noted > 0) return undefined;
  return (await findDeviceLogin(db, byID(id)))?.polledTime ?? undefined;
}

/** Stores the approval of a pending login. */
export async function approve(db: Db, id: string, { personID, projectID, access, keyDays }: Approval): Promise<void> {
  await db.$executeRaw`
    update device_login set state = 'approved', "personID" = ${personID}, "projectID" = ${projectID}, access = ${access}, "keyDays" = ${keyDays}
    where id = ${id}`;
}

export async function end(db: Db, id: string, state: "denied" | "completed"): Promise<void> {
  await db.$executeRaw`update device_login set state = ${state} where id = ${id}`;
}

/** Deletes the logins that a person approved. */
export async function deleteDeviceLogins(db: Db, personID: string): Promise<void> {
  await db.$executeRaw`delete from device_login where "personID" = ${personID}`;
}

/** Deletes logins that ended an hour ago. */
export async function deleteEndedDeviceLogins(db: Db, now: number): Promise<void> {
  await db.$executeRaw`delete from device_login where "endsTime" <= ${now - RETENTION_MS}`;
}
