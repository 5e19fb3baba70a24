import type { Schema } from "@gatehouse/contract/evaluation";
import type { User } from "@gatehouse/evaluation";
import type { Caller } from "../binding.ts";

type GivenUser = Schema<"EvaluatedUser"> | null | undefined;
type Metadata = Schema<"CallMetadata"> | undefined;

/**
 * For whom a call is made. A client key is in the user's own hands, so that its request tells where the user is and with what. SDKs in
 * browsers name the device beside the user.
 */
export function calledUser(given: GivenUser, metadata: Metadata, { credentials, ip, userAgent }: Caller): User {
  const user: User = { ...given };
  if (credentials.scope.type === "CLIENT") {
    user.ip ??= ip;
    user.userAgent ??= userAgent;
  }
  const { stableID } = metadata ?? {};
  if (typeof stableID === "string" && user.customIDs?.stableID === undefined) user.customIDs = { ...user.customIDs, stableID };
  return user;
}

/** The user as it may be answered and logged. */
export function withoutPrivate({ privateAttributes: _, ...user }: User): User {
  return user;
}
