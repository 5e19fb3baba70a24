/** Who does something: the key that the request carries. */
type Actor = { id: string; name: string };

/** What a key opens, and to whom. */
export type Credentials = { actor: Actor; projectID: string };

/** Finds what a presented key opens. @throws AppError unauthorized */
export type Authenticate = (secret: string | undefined) => Promise<Credentials>;

/** What a request is done in the name of. Time and actor come from here, never from a clock or a global. */
export type Context = Credentials & {
  operationID: string;
  /** Milliseconds since the epoch. */
  now: number;
};
