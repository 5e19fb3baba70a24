import type { User } from "@gatehouse/evaluation";
import type { Caller } from "./binding.ts";

/** The user's IP address and user agent, from the request. Undefined unless it has a client key, since servers call for other users. */
export function readDevice({ credentials, ip, userAgent }: Caller): Pick<User, "ip" | "userAgent"> | undefined {
  if (credentials.scope.type !== "CLIENT") return undefined;
  return userAgent === undefined ? { ip } : { ip, userAgent };
}

/** The user without private attributes, which are neither returned nor logged. */
export function withoutPrivate({ privateAttributes: _, ...user }: User): User {
  return user;
}
