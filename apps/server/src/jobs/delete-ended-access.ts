import { deleteEndedDeviceLogins } from "../accounts/device-logins/device-login-store.ts";
import { SETUP_MS } from "../accounts/second-factors/authenticator-app.ts";
import { deleteEndedChallenges } from "../accounts/second-factors/challenge-store.ts";
import { deleteAbandonedTotp } from "../accounts/second-factors/totp-store.ts";
import { deleteEndedSessions } from "../accounts/session-store.ts";
import type { SessionLimits } from "../common/session-limits.ts";
import { repeating } from "../store/database/unit-of-work.ts";
import { deleteExpiredTokens } from "../tokens/token-store.ts";
import type { Job } from "./jobs.ts";

const INTERVAL_MS = 60 * 60 * 1000;

/** Deletes ended sessions and device logins, and expired tokens, challenges and unconfirmed secrets of authenticator apps. */
export const deleteEndedAccess = (limits: SessionLimits): Job => ({
  name: "deleteEndedAccess",
  intervalMs: INTERVAL_MS,
  async run({ database, now }) {
    await repeating(database, (db) => deleteEndedSessions(db, now(), limits));
    await repeating(database, (db) => deleteExpiredTokens(db, now()));
    await repeating(database, (db) => deleteEndedDeviceLogins(db, now()));
    await repeating(database, (db) => deleteEndedChallenges(db, now()));
    await repeating(database, (db) => deleteAbandonedTotp(db, now() - SETUP_MS));
  },
});
