import { DAY_MS } from "../common/utc-day.ts";
import { dropOldEntries } from "../store/change-log/audit-log-retention.ts";
import { deleteOrphanedAddresses } from "../store/change-log/key-addresses.ts";
import type { Job } from "./jobs.ts";

/** Drops entries older than a number of days from the audit log. Undefined means that all are kept. */
export const auditRetention = (days: number | undefined): Job => ({
  name: "auditRetention",
  intervalMs: 60 * 60 * 1_000,
  async run({ database, log, now }) {
    await deleteOrphanedAddresses(database.db);
    if (days === undefined) return;
    const { dropped, isSealedByOthers } = await dropOldEntries(database, now() - days * DAY_MS, now());
    if (dropped > 0) log.info({ dropped }, "Old entries of the audit log were dropped.");
    if (isSealedByOthers) log.warn("The audit log is sealed, so that only a server with GATEHOUSE_AUDIT_KEY can drop its old entries.");
  },
});
