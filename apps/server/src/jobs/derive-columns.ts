import { kinds } from "../console/kinds.ts";
import { deriveAgain } from "../store/entities/derive-again.ts";
import type { Job } from "./jobs.ts";

/** In a rolling upgrade, updates data that servers of earlier releases write: the columns that lists find entities with, and references. */
export const deriveColumns: Job = {
  name: "deriveColumns",
  intervalMs: 10 * 60 * 1_000,
  async run({ database, log }) {
    let count = 0;
    for (const kind of kinds) count += await deriveAgain(database, kind);
    if (count > 0) log.info({ count }, "Entities that servers of earlier releases had written were indexed again.");
  },
};
