import type { User } from "@gatehouse/evaluation";
import type { Caller } from "./binding.ts";

/** What a request tells of its user by itself: where the user is and with what. Undefined unless the key is in the user's own hands. */
export function deviceOf({ credentials, ip, userAgent }: Caller): Pick<User, "ip" | "userAgent"> | undefined {
  if (credentials.scope.type !== "CLIENT") return undefined;
  return userAgent === undefined ? { ip } : { ip, userAgent };
}

/** The user as it may be answered and logged. */
export function withoutPrivate({ privateAttributes: _, ...user }: User): User {
  return user;
}
