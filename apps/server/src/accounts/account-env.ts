import type { Logger } from "pino";
import type { Origin } from "../common/context.ts";
import type { SessionLimits } from "../common/session-limits.ts";
import type { Vault } from "../common/vault.ts";
import type { RepeatedEvents } from "../store/change-log/repeated-events.ts";
import type { Database } from "../store/database/database.ts";
import type { Provider, SignInState } from "./provider.ts";
import type { RelyingParty } from "./second-factors/relying-party.ts";
import type { Session } from "./session-store.ts";

/** The operator's settings for second factors. */
export type SecondFactorSettings = {
  /** Whether everyone who signs in with a password must have one. */
  isRequired: boolean;
  /** Encrypts the secrets of authenticator apps. Undefined if they can't be set up. */
  vault: Vault | undefined;
  /** Undefined if passkeys can't be used. */
  relyingParty: RelyingParty | undefined;
};

/** The server's additions to a request of an account operation. These manage transactions themselves: a password takes time to verify. */
export type AccountEnv = {
  database: Database;
  /** Milliseconds since the epoch. */
  now: number;
  limits: SessionLimits;
  origin: Origin;
  /** The caller's address. Null if it may be that of a proxy which the server does not trust. */
  ownAddress: string | null;
  /** Where failures are noted for the audit log. */
  repeatedEvents: RepeatedEvents;
  log: Logger;
  /** Whether people sign in with passwords. */
  passwordSignIn: boolean;
  /** The OpenID Connect provider. Undefined if none is set up. */
  provider: Provider | undefined;
  secondFactors: SecondFactorSettings;
  /** The URL at which the caller reached the server, with its base path. */
  baseUrl: string;
  /** The path of that URL. Empty if the server has its own host. */
  basePath: string;
  /** At which the browser sent the request, with its query. */
  url: URL;
  /** The browser's state of a sign-in that began. */
  signInState: SignInState | undefined;
};

/** The same for operations that need a session. */
export type SignedInEnv = AccountEnv & { session: Session };

/** A response with the secret of a session that began with it, or with an empty one if the request's session ended. */
export type WithSession = { session: { secret: string; endsTime: number } };

/** A response that sends the browser elsewhere, with the state that it must return to finish a sign-in; null to remove it. */
export type Redirecting = { location: string; signInState: SignInState | null };
