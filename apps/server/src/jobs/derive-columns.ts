import { kinds } from "../console/kinds.ts";
import { deriveAgain } from "../store/entities/derive-again.ts";
import type { Job } from "./jobs.ts";

/** In a rolling upgrade, brings up to date what servers of earlier releases write: the columns by which lists find entities, and references. */
export const deriveColumns: Job = {
  name: "deriveColumns",
  intervalMs: 10 * 60 * 1_000,
  async run({ database, log }) {
    let count = 0;
    for (const kind of kinds) count += await deriveAgain(database, kind);
    if (count > 0) log.info({ count }, "Entities that servers of earlier releases had written were indexed again.");
  },
};
