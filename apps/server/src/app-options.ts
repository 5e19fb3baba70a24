import type { Logger } from "pino";
import type { Provider } from "./accounts/provider.ts";
import type { KeyCheck } from "./authentication/key-check.ts";
import type { SessionLimits } from "./common/session-limits.ts";
import type { Tracing } from "./common/tracing.ts";
import type { EvaluationServices } from "./evaluation/evaluation-services.ts";
import type { Measured } from "./http/common/metrics.ts";
import type { Phase } from "./http/common/operation-endpoints.ts";
import type { SecurityContact } from "./http/common/security-text.ts";
import type { ChangeStreamLimits } from "./http/console/change-streams.ts";
import type { RequestLimits } from "./http/evaluation/request-limiter.ts";
import type { SchemaChecker } from "./schema-checks/schema-checker.ts";
import type { ScimConfig } from "./scim/scim-env.ts";
import type { RepeatedEvents } from "./store/change-log/repeated-events.ts";
import type { Database } from "./store/database/database.ts";
import type { WriteLimit } from "./store/requests/write-limiter.ts";

export type AppOptions = {
  database: Database;
  evaluation: EvaluationServices;
  schemaChecker: SchemaChecker;
  log: Logger;
  /** Creates spans. Without it, the server is not traced. */
  tracing?: Tracing | undefined;
  corsOrigins?: string[];
  /** Addresses and ranges of the proxies whose `X-Forwarded-…` headers count. */
  trustedProxies?: string[];
  /** Addresses and ranges, in canonical form, that people can use the console from. Empty or undefined means everywhere. */
  consoleAddresses?: string[];
  /** The URL at which callers reach the server, without a slash at its end. With a path, requests may begin with it. */
  publicUrl?: string | undefined;
  /** The limit of each caller's writes of the console API. Undefined means unlimited. */
  writeLimit?: WriteLimit | undefined;
  /** The limits of each key's requests of the evaluation API, on this server. Undefined means unlimited. */
  requestLimits?: RequestLimits;
  /** How long shared caches such as CDNs may serve rulesets whose URL contains the key, seconds. */
  cdnMaxAge?: number | "off";
  /** Where people report vulnerabilities of the server. Nowhere, if not given. */
  securityContact?: SecurityContact;
  /** When people's sessions end: after 12 hours without a request and after 14 days, if not given. */
  sessionLimits?: SessionLimits | undefined;
  /** Whether people sign in with passwords: true, if not given. */
  passwordSignIn?: boolean;
  /** The OpenID Connect provider with which people sign in. */
  provider?: Provider | undefined;
  /** The settings of identity providers that manage people. Without them, the SCIM API does not exist. */
  scim?: ScimConfig | undefined;
  /** Whether everyone who signs in with a password must have a second factor. Default: false. */
  requiresSecondFactor?: boolean;
  /** Encrypts the secrets of authenticator apps. Without it, they can't be set up. */
  secretKey?: string | undefined;
  previousSecretKey?: string | undefined;
  /** The limits of streams of changes: 500, and 20 of a caller, if not given. */
  changeStreams?: Partial<ChangeStreamLimits>;
  /** Created if not given. */
  keyCheck?: KeyCheck;
  repeatedEvents?: RepeatedEvents;
  /** Fail a request whose response violates the contract. Otherwise the violation is logged and counted, and the response sent. */
  strictResponses?: boolean;
  /** The clock, milliseconds since the epoch. */
  now?: () => number;
  /** Has the difference of the server's clock from the database's, ms. */
  clock?: { aheadMs(): number };
  /** Has the largest difference between results of loads and those of all events. */
  drift?: { latest(): number };
  /** Returns by how long the next run of each job is late, s. */
  jobDelays?: Measured["jobDelays"];
  /** Returns the queues of the database as they were last counted. */
  queues?: Measured["queues"];
  phase?: () => Phase;
};
