import { sealAll } from "../store/change-log/sealing.ts";
import type { Job } from "./jobs.ts";

/** Seals the entries of the audit log that are not sealed yet, if the server has a key for that. */
export const sealAuditLog: Job = {
  name: "sealTrail",
  intervalMs: 1_000,
  async run({ database, now }) {
    const { auditKey } = database.db;
    if (auditKey) await sealAll(database, auditKey, now());
  },
};
