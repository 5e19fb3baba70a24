import { AppError } from "../../common/errors.ts";
import type { Database } from "../../store/database/database.ts";
import { repeating } from "../../store/database/unit-of-work.ts";
import { returnLease } from "../../store/requests/write-lease.ts";
import { takeOne, toNetwork, tooMany, toWriter } from "../attempts.ts";

/** In a window: logins from an address that were not redeemed, unknown device codes from an address, and wrong user codes of a person. */
const MAX_LOGINS_OF_ADDRESS = 50;
const MAX_UNKNOWN_OF_ADDRESS = 100;
const MAX_WRONG_CODES = 10;

const starter = (address: string | null) => toWriter(`device logins from ${toNetwork(address)}`);

/** Limits the logins of an address. @throws AppError too_many_requests, unavailable */
export async function countDeviceLogin(database: Database, address: string | null): Promise<void> {
  const endsInMs = await takeOne(database, starter(address), MAX_LOGINS_OF_ADDRESS);
  if (endsInMs !== undefined) throw tooMany(endsInMs, "device logins");
}

/** Stops counting a login that was redeemed. */
export async function discountDeviceLogin(database: Database, address: string | null): Promise<void> {
  await repeating(database, (db) => returnLease(db, starter(address), 1));
}

/** Limits the unknown device codes of an address. @throws AppError too_many_requests, unavailable */
export async function countUnknownCode(database: Database, address: string | null): Promise<void> {
  const endsInMs = await takeOne(database, toWriter(`device codes from ${toNetwork(address)}`), MAX_UNKNOWN_OF_ADDRESS);
  if (endsInMs !== undefined) throw tooMany(endsInMs, "unknown device codes");
}

/**
 * Finds a login by the code that a person entered. The code counts as wrong until it is found, so codes at the same time cannot exceed the
 * limit.
 * @throws AppError too_many_requests, unavailable
 */
export async function countingWrongCodes<T>(
  database: Database,
  personID: string,
  find: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const writer = toWriter(`user codes of ${personID}`);
  const endsInMs = await takeOne(database, writer, MAX_WRONG_CODES);
  if (endsInMs !== undefined) throw tooMany(endsInMs, "wrong codes");
  const found = await find();
  if (found !== undefined) await repeating(database, (db) => returnLease(db, writer, 1));
  return found;
}

/** @param waitMs how long the device has to wait */
export function askedTooOften(waitMs: number): AppError {
  const message = "The device login was checked too often. Try again after Retry-After seconds.";
  return new AppError("too_many_requests", message, undefined, { retryAfterS: Math.max(1, Math.ceil(waitMs / 1000)) });
}
