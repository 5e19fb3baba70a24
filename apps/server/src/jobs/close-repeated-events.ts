import { closeWindows } from "../store/change-log/repeated-events.ts";
import { writing } from "../store/database/unit-of-work.ts";
import type { Job } from "./jobs.ts";

/** Writes one entry of the audit log for events that repeated an earlier one, when their window has ended. */
export const closeRepeatedEvents: Job = {
  name: "closeRepeatedEvents",
  intervalMs: 60 * 1_000,
  async run({ database, now }) {
    while ((await writing(database, (db) => closeWindows(db, now()))) > 0);
  },
};
