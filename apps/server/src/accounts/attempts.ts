import ipaddr from "ipaddr.js";
import { INSTANCE_PROJECT } from "../common/context.ts";
import { AppError } from "../common/errors.ts";
import type { Database } from "../store/database/database.ts";
import { repeating } from "../store/database/unit-of-work.ts";
import { leaseWrites, returnLease } from "../store/requests/write-lease.ts";
import { hashSecret } from "../tokens/secret.ts";

/** Failures of an account from an address, and of an address whatever the account, in a window. */
const MAX_OF_ACCOUNT = 10;
const MAX_OF_ADDRESS = 100;
const WINDOW_MS = 15 * 60 * 1000;
/** The part of an IPv6 address that a provider gives to one customer, in bits. */
const IPV6_PREFIX = 64;

export type Attempt = {
  /** The attempt did not fail: it counts no more, nor do the failures of the account before it. */
  succeed(): Promise<void>;
};

/**
 * Begins an attempt to prove who one is, which counts as failed until it succeeds: so attempts at the same time cannot exceed the limits.
 * They hold for all servers together.
 * @throws AppError too_many_requests, unavailable
 */
export async function beginAttempt(database: Database, email: string, address: string | null): Promise<Attempt> {
  const from = toNetwork(address);
  // A hash bounds the length, and keeps what people type by mistake in place of their address out of the table.
  const counted = [
    { name: `attempts from ${from}`, limit: MAX_OF_ADDRESS },
    { name: `attempts as ${hashSecret(email)} from ${from}`, limit: MAX_OF_ACCOUNT },
  ];
  for (const { name, limit } of counted) {
    const terms = { limit, windowMs: WINDOW_MS, wanted: 1 };
    const { granted, endsInMs } = await repeating(database, (db) => leaseWrites(db, toWriter(name), terms));
    if (granted === 0) throw tooMany(Math.max(1, Math.ceil(endsInMs / 1000)));
  }
  return {
    async succeed() {
      const [ofAddress, ofAccount] = counted.map(({ name }) => toWriter(name)) as [Named, Named];
      await repeating(database, (db) => returnLease(db, ofAddress, 1));
      await repeating(database, (db) => returnLease(db, ofAccount, MAX_OF_ACCOUNT));
    },
  };
}

type Named = ReturnType<typeof toWriter>;

function toWriter(id: string) {
  return { projectID: INSTANCE_PROJECT, actor: { id } };
}

function tooMany(retryAfterS: number): AppError {
  const message = "There were too many failed attempts. Try again after Retry-After seconds.";
  return new AppError("too_many_requests", message, undefined, { retryAfterS });
}

/** `192.0.2.7`, and `2001:db8::/64` for what is in it. */
export function toNetwork(address: string | null): string {
  if (address === null || !ipaddr.isValid(address)) return "unknown";
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  const network = parsed.toByteArray().fill(0, IPV6_PREFIX / 8);
  return `${ipaddr.fromByteArray(network).toString()}/${IPV6_PREFIX}`;
}
