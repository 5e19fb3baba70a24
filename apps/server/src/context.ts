/** Who acts: the key of the request. */
type Actor = { id: string; name: string };

/** What a key is for: the console API, application servers, or client applications. */
export type KeyType = "CONSOLE" | "SERVER" | "CLIENT";

/**
 * The part of its project that a key can access. An empty list means no limit. `targetApps` has each app's name and its id, since entities
 * reference apps by either.
 */
export type KeyScope = { type: KeyType; environments: string[]; targetApps: string[] };

/** The permissions of a key beyond those of its type: the values of its field `scopes`. */
export type Permission = "omni_read_only" | "omni_read_write" | "can_access_keys" | "client_download_config_specs";

/** The identity and the permissions of a caller. */
export type Credentials = Identity & { scope: KeyScope; permissions: Permission[] };

type Identity = { actor: Actor; projectID: string };

/** Finds the credentials of a presented key. @throws AppError unauthorized */
export type Authenticate = (secret: string | undefined) => Promise<Credentials>;

/** Actor, project, operation and time of a request. Entities take time and actor from here, never from a clock or a global. */
export type Context = Identity & {
  operationID: string;
  /** Milliseconds since the epoch. */
  now: number;
};
