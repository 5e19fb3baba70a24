import { deleteLeases } from "../store/requests/write-lease.ts";
import type { Job } from "./jobs.ts";

/** Deletes the leases of windows that ended long ago. */
export const deleteOldLeases: Job = {
  name: "deleteOldLeases",
  intervalMs: 60 * 60 * 1_000,
  run: ({ database }) => deleteLeases(database.db),
};
