import { HOUR_MS } from "../common/utc-day.ts";
import { reading, repeating } from "../store/database/unit-of-work.ts";
import type { Job } from "./jobs.ts";
import { beginRemoval, deleteSomeRows, listDeletedProjects } from "./remove-deleted-projects-store.ts";

/** How often the rows of all deleted projects are looked for, ms: a request that began before the deletion may have written some. */
const SEARCHED_EVERY_MS = HOUR_MS;

/** Removes the rows of projects that were deleted, in batches. Their audit log stays. */
export const removeDeletedProjects = (): Job => {
  let searchedTime: number | undefined;
  return {
    name: "removeDeletedProjects",
    intervalMs: 10 * 1_000,
    async run({ database, now, stopping }) {
      const time = now();
      const isSearch = searchedTime === undefined || time - searchedTime >= SEARCHED_EVERY_MS;
      const ids = await reading(database, (db) => listDeletedProjects(db, isSearch ? 0 : time - SEARCHED_EVERY_MS));
      if (ids.length > 0)
        for (const table of await repeating(database, (db) => beginRemoval(db, ids)))
          while (await repeating(database, (db) => deleteSomeRows(db, table, ids))) if (stopping?.aborted) return;
      if (isSearch) searchedTime = time;
    },
  };
};
