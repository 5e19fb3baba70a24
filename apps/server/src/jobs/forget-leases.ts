import { forgetLeases } from "../store/write-lease.ts";
import type { Job } from "./jobs.ts";

/** Deletes what was leased of limits of writes in windows that are long over. */
export const forgetOldLeases: Job = {
  name: "forgetOldLeases",
  intervalMs: 60 * 60 * 1_000,
  run: ({ database }) => forgetLeases(database.db),
};
