import { systemContext } from "../common/system-context.ts";
import { withoutReviews } from "../console/environments/environment-set.ts";
import { listIgnoringReviews } from "../console/environments/environment-store.ts";
import { reading } from "../store/database/unit-of-work.ts";
import type { Job } from "./jobs.ts";
import { writeAs } from "./write-as.ts";

const REASON = "Until this version, reviews had no effect. Turn them on for the environments that need them.";

/** Turns off the flags for reviews that environments had before reviews had an effect, once for each project. */
export const turnReviewsOff: Job = {
  name: "turnReviewsOff",
  intervalMs: 60 * 60 * 1_000,
  async run({ database, now }) {
    for (const projectID of await reading(database, listIgnoringReviews)) {
      const context = { ...systemContext("turnReviewsOff", now(), projectID), reason: REASON };
      await writeAs(database, context, async ({ environments }) => {
        const set = await environments.get({ lock: true });
        if (set.environments.some(({ requiresReview }) => requiresReview)) await environments.replace(set, withoutReviews(set));
      });
    }
  },
};
