import ipaddr from "ipaddr.js";
import { INSTANCE_PROJECT } from "../common/context.ts";
import { AppError } from "../common/errors.ts";
import type { Database } from "../store/database/database.ts";
import { type Db, reading, repeating } from "../store/database/unit-of-work.ts";
import { leaseWrites, returnLease } from "../store/requests/write-lease.ts";
import { hashSecret } from "../tokens/secret.ts";

/** Failures in a window: of an account from an address, of an account from all addresses, and of an address for all accounts. */
const MAX_OF_BOTH = 10;
const MAX_OF_ACCOUNT = 100;
const MAX_OF_ADDRESS = 100;
/** Maximum number of unused challenges for passkeys of an address in a window. */
const MAX_CHALLENGES = 100;
/** Password reset requests in a window: for an account from an address, and from an address for all accounts. */
const MAX_RESETS = 5;
const MAX_RESETS_OF_ADDRESS = 50;
const WINDOW_MS = 15 * 60 * 1000;
/** The part of an IPv6 address that a provider gives to one customer, in bits. */
const IPV6_PREFIX = 64;

export type Attempt = {
  /** The attempt did not fail: it no longer counts, and the account's earlier failures are forgotten. */
  succeed(): Promise<void>;
  /** Takes back an attempt that neither failed nor succeeded. Earlier failures still count. */
  withdraw(): Promise<void>;
};

/**
 * Begins an attempt to prove one's identity, which counts as failed until it succeeds: so attempts at the same time cannot exceed the
 * limits. They hold for all servers. If the account has a session there, only its own failures count, so strangers can't lock it out.
 * @throws AppError too_many_requests, unavailable
 */
export async function beginAttempt(database: Database, email: string, address: string | null): Promise<Attempt> {
  const from = toNetwork(address);
  // A hash bounds the length, and keeps text that people enter by mistake instead of their address out of the table.
  const account = hashSecret(email);
  const ofBoth = toWriter(`attempts as ${account} from ${from}`);
  const ofAccount = toWriter(`attempts as ${account}`);
  const ofAddress = toWriter(`attempts from ${from}`);

  /** The counts of which this attempt is a part. */
  const counts: Named[] = [];
  /** @returns after how many ms there may be another attempt; undefined if this one counts */
  async function take(writer: Named, limit: number): Promise<number | undefined> {
    const endsInMs = await takeOne(database, writer, limit);
    if (endsInMs === undefined) counts.push(writer);
    return endsInMs;
  }
  const giveBack = async () => {
    for (const writer of counts) await repeating(database, (db) => returnLease(db, writer, 1));
  };
  /** @param endsInMs ms until the shared limit ends; undefined if it is not reached */
  async function refuseStrangers(endsInMs: number | undefined): Promise<void> {
    if (endsInMs !== undefined && !(await reading(database, (db) => isSignedInFrom(db, email, from)))) throw tooMany(endsInMs);
  }

  // The address's limit comes first, so that it bounds what is written for accounts.
  const ofAddressEndsIn = await take(ofAddress, MAX_OF_ADDRESS);
  await refuseStrangers(ofAddressEndsIn);
  const own = await take(ofBoth, MAX_OF_BOTH);
  if (own !== undefined) {
    await giveBack();
    throw tooMany(own);
  }
  if (ofAddressEndsIn === undefined) await refuseStrangers(await take(ofAccount, MAX_OF_ACCOUNT));
  return {
    async succeed() {
      await giveBack();
      await repeating(database, (db) => returnLease(db, ofBoth, MAX_OF_BOTH));
    },
    withdraw: giveBack,
  };
}

/** Limits the challenges that an address requests and doesn't sign in with. @throws AppError too_many_requests, unavailable */
export async function countChallenge(database: Database, address: string | null): Promise<void> {
  const endsInMs = await takeOne(database, toChallenger(address), MAX_CHALLENGES);
  if (endsInMs !== undefined) throw tooMany(endsInMs);
}

/** Stops counting a challenge that led to a session. */
export async function discountChallenge(database: Database, address: string | null): Promise<void> {
  await repeating(database, (db) => returnLease(db, toChallenger(address), 1));
}

/**
 * Limits the password reset requests of an address. Its limit for all accounts is checked first, so that it bounds what is written.
 * @throws AppError too_many_requests, unavailable
 */
export async function countResetRequest(database: Database, email: string, address: string | null): Promise<void> {
  const from = toNetwork(address);
  const [ofAddress, ofBoth] = [toWriter(`resets from ${from}`), toWriter(`resets of ${hashSecret(email)} from ${from}`)];
  const take = async (writer: Named, limit: number) => {
    const endsInMs = await takeOne(database, writer, limit);
    return endsInMs === undefined ? undefined : tooMany(endsInMs, "password reset requests");
  };
  const tooManyOfAddress = await take(ofAddress, MAX_RESETS_OF_ADDRESS);
  if (tooManyOfAddress) throw tooManyOfAddress;
  const tooManyOfBoth = await take(ofBoth, MAX_RESETS);
  if (!tooManyOfBoth) return;
  await repeating(database, (db) => returnLease(db, ofAddress, 1));
  throw tooManyOfBoth;
}

function toChallenger(address: string | null): Named {
  return toWriter(`challenges for ${toNetwork(address)}`);
}

async function isSignedInFrom(db: Db, email: string, network: string): Promise<boolean> {
  const rows = await db.$queryRaw<{ address: string | null }[]>`
    select distinct address from session join person on person.id = session."personID"
    where person."projectID" = ${INSTANCE_PROJECT} and person.email = ${email}`;
  return rows.some(({ address }) => address !== null && toNetwork(address) === network);
}

type Named = ReturnType<typeof toWriter>;

/** The subject of a count of attempts, which all servers share. */
export function toWriter(id: string) {
  return { projectID: INSTANCE_PROJECT, actor: { id } };
}

/** Counts one attempt of a window. @returns the ms to wait before the next attempt, or undefined if this attempt is allowed */
export async function takeOne(database: Database, writer: Named, limit: number): Promise<number | undefined> {
  const terms = { limit, windowMs: WINDOW_MS, wanted: 1 };
  const { granted, endsInMs } = await repeating(database, (db) => leaseWrites(db, writer, terms));
  return granted === 0 ? endsInMs : undefined;
}

export function tooMany(endsInMs: number, what = "failed attempts"): AppError {
  const retryAfterS = Math.max(1, Math.ceil(endsInMs / 1000));
  const message = `There were too many ${what}. Try again after Retry-After seconds.`;
  return new AppError("too_many_requests", message, undefined, { retryAfterS });
}

/** `192.0.2.7`, and `2001:db8::/64` for addresses in it. */
export function toNetwork(address: string | null): string {
  if (address === null || !ipaddr.isValid(address)) return "unknown";
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  const network = parsed.toByteArray().fill(0, IPV6_PREFIX / 8);
  return `${ipaddr.fromByteArray(network).toString()}/${IPV6_PREFIX}`;
}
