import type { Permission, Scope } from "@gatehouse/contract";

/** The actor: the key of the request, or the person whose session it has. A key has no email address. */
export type Actor = { id: string; name: string; email: string | null };

/** The project that the first start creates, and on which the command line works. */
export const DEFAULT_PROJECT = "default";

/** The project of the instance itself: of its people, and of the log of their changes. It has no keys and no members. */
export const INSTANCE_PROJECT = "instance";

/** The origin of a request, for the audit log. Unknown values are null. */
export type Origin = { address: string | null; userAgent: string | null; requestID: string | null };

/** The use of a key: the console API, application servers, or client applications. */
export type KeyType = "CONSOLE" | "SERVER" | "CLIENT";

/**
 * The part of its project that a key can access. An empty list means no limit. `targetApps` has each app's name and its id, since entities
 * reference apps by either.
 */
export type KeyScope = { type: KeyType; environments: string[]; targetApps: string[] };

/**
 * The permissions of a caller in the project, and how far its writes reach; null means everywhere. `grantedBy` is the source of the
 * permissions, as errors name it: `the scopes of the key`. Only callers who administer the instance have any permission in other projects.
 */
export type Principal = {
  permissions: ReadonlySet<Permission>;
  grantedBy: string;
  limits: WriteLimits | null;
  publishing: Publishing | null;
  administersInstance: boolean;
};

/** The only environments, by name, where a caller may change what users get, and what limits it, as errors name it: `the role Developer`. */
export type Publishing = { environments: readonly string[]; grantedBy: string };

/**
 * The limits of a key's writes: environments and target apps by name, target apps by id as well, and the addresses that it can be used from.
 * An empty list means no limit. `expiresTime` is when the key expires, ms since the epoch; null if it does not.
 */
export type WriteLimits = {
  environments: string[];
  targetApps: string[];
  targetAppIDs: string[];
  allowedAddresses: string[];
  expiresTime: number | null;
};

/** The identity, the permissions and the reach of a caller. `scopes` are those of its key; a person has none. */
export type Credentials = Identity &
  Principal & {
    scope: KeyScope;
    scopes: Scope[];
    /** Whether it is a key that can be used from every address. Undefined means that a response to it belongs to its caller alone. */
    worksAnywhere?: boolean;
  };

type Identity = { actor: Actor; projectID: string };

/** Finds the credentials of a key that a caller presents from an address. @throws AppError unauthorized, forbidden */
export type Authenticate = (secret: string | undefined, address: string) => Promise<Credentials>;

/** Actor, project, operation and time of a request. Entities take time and actor from here, never from a clock or a global. */
export type Context = Identity & {
  operationID: string;
  /** Milliseconds since the epoch. */
  now: number;
  /** Undefined if no request causes it, but a job or the command line. */
  origin?: Origin;
  /** Why the caller changes what it changes. */
  reason?: string | undefined;
};

/** The same with the caller's permissions, which stores check. `skipsReviews` if a scope of its key says that its writes need none. */
export type PermittedContext = Context & Principal & { provisioning?: Provisioning | undefined; skipsReviews?: boolean };

/**
 * Settings of identity providers that limit writes of the console API. Undefined if SCIM is not set up, and for writes of the identity
 * providers themselves. `groups` are the names of the groups that decide roles in the default project.
 */
export type Provisioning = { groups: readonly string[] };
