/** Who does something: the key that the request carries. */
type Actor = { id: string; name: string };

/** What a key is for: the console API, servers of applications, or what users hold in their hands. */
export type KeyType = "CONSOLE" | "SERVER" | "CLIENT";

/**
 * What a key reaches of its project. An empty list limits nothing. `targetApps` has each app's name and its id, since entities name apps by
 * either.
 */
export type KeyScope = { type: KeyType; environments: string[]; targetApps: string[] };

/** What a key may do beside what its type may, as its field `scopes` has it. */
export type Permission = "omni_read_only" | "omni_read_write" | "can_access_keys" | "client_download_config_specs";

/** What a key opens, and to whom. */
export type Credentials = Identity & { scope: KeyScope; permissions: Permission[] };

type Identity = { actor: Actor; projectID: string };

/** Finds what a presented key opens. @throws AppError unauthorized */
export type Authenticate = (secret: string | undefined) => Promise<Credentials>;

/** What a request is done in the name of. Time and actor come from here, never from a clock or a global. */
export type Context = Identity & {
  operationID: string;
  /** Milliseconds since the epoch. */
  now: number;
};
