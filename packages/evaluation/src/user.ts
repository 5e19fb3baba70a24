/** The user of an evaluation, as SDKs send it. Other attributes belong in `custom`. */
export type User = {
  userID?: string | number | null;
  customIDs?: Record<string, string | number | null> | null;
  email?: string | null;
  ip?: string | null;
  userAgent?: string | null;
  country?: string | null;
  locale?: string | null;
  appVersion?: string | null;
  custom?: Record<string, unknown> | null;
  /** Like `custom`, but never returned or logged. */
  privateAttributes?: Record<string, unknown> | null;
  statsigEnvironment?: Record<string, unknown> | null;
};
