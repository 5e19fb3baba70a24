import { systemContext } from "../common/system-context.ts";
import { listOrphans } from "../console/comments/orphan-store.ts";
import { kinds } from "../console/kinds.ts";
import { reading } from "../store/database/unit-of-work.ts";
import type { Job } from "./jobs.ts";
import { writeAs } from "./write-as.ts";

/** Deletes comments on deleted entities that cannot be restored. Comments on deleted entities that can still be restored stay. */
export const deleteOrphanedComments: Job = {
  name: "deleteOrphanedComments",
  intervalMs: 60 * 60 * 1_000,
  async run({ database, now }) {
    for (const { projectID, ids } of await reading(database, (db) => listOrphans({ db }, kinds)))
      await writeAs(database, systemContext("deleteOrphanedComments", now(), projectID), async ({ comments }) => {
        for (const comment of await comments.lockEach(ids)) await comments.delete(comment);
      });
  },
};
