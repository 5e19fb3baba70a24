import { systemContext } from "../common/system-context.ts";
import { COMMENTED_TYPES } from "../console/comments/commented-types.ts";
import { listOrphans } from "../console/common/orphan-store.ts";
import { kinds } from "../console/kinds.ts";
import { NOTED_TYPES } from "../console/result-notes/result-note.ts";
import { reading } from "../store/database/unit-of-work.ts";
import type { Job } from "./jobs.ts";
import { writeAs } from "./write-as.ts";

/** Deletes comments on deleted entities that cannot be restored. Comments on deleted entities that can still be restored stay. */
export const deleteOrphanedComments: Job = {
  name: "deleteOrphanedComments",
  intervalMs: 60 * 60 * 1_000,
  async run({ database, now }) {
    for (const { projectID, ids } of await reading(database, (db) => listOrphans({ db }, kinds, "comment", COMMENTED_TYPES)))
      await writeAs(database, systemContext("deleteOrphanedComments", now(), projectID), async ({ comments }) => {
        for (const comment of await comments.lockEach(ids)) await comments.delete(comment);
      });
  },
};

/** Deletes notes on the results of deleted entities that cannot be restored. */
export const deleteOrphanedResultNotes: Job = {
  name: "deleteOrphanedResultNotes",
  intervalMs: 60 * 60 * 1_000,
  async run({ database, now }) {
    for (const { projectID, ids } of await reading(database, (db) => listOrphans({ db }, kinds, "result_note", NOTED_TYPES)))
      await writeAs(database, systemContext("deleteOrphanedResultNotes", now(), projectID), async ({ resultNotes }) => {
        for (const note of await resultNotes.lockEach(ids)) await resultNotes.delete(note);
      });
  },
};
