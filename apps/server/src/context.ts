import type { Permission, Scope } from "@gatehouse/contract";

/** Who does something: the key that the request carries. */
type Actor = { id: string; name: string };

/** What a key is for: the console API, servers of applications, or what users hold in their hands. */
export type KeyType = "CONSOLE" | "SERVER" | "CLIENT";

/**
 * What a key reaches of its project. An empty list limits nothing. `targetApps` has each app's name and its id, since entities name apps by
 * either.
 */
export type KeyScope = { type: KeyType; environments: string[]; targetApps: string[] };

/** What a caller may do. `grantedBy` is what decides it, as errors name it: `the scopes of the key`. */
export type Principal = { permissions: ReadonlySet<Permission>; grantedBy: string };

/** What a key opens, and to whom. */
export type Credentials = Identity & Principal & { scope: KeyScope; scopes: Scope[] };

type Identity = { actor: Actor; projectID: string };

/** Finds what a presented key opens. @throws AppError unauthorized */
export type Authenticate = (secret: string | undefined) => Promise<Credentials>;

/** What a request is done in the name of. Time and actor come from here, never from a clock or a global. */
export type Context = Identity & {
  operationID: string;
  /** Milliseconds since the epoch. */
  now: number;
};

/** The same with what the caller may do, which stores check. */
export type PermittedContext = Context & Principal;
