import { repeating } from "../store/database/unit-of-work.ts";
import type { Job } from "./jobs.ts";
import { deleteSomeRows } from "./remove-deleted-projects-store.ts";

/** Removes the rows of projects that were deleted, in batches. Their audit log stays. */
export const removeDeletedProjects: Job = {
  name: "removeDeletedProjects",
  intervalMs: 10 * 1_000,
  async run({ database }) {
    while (await repeating(database, deleteSomeRows));
  },
};
