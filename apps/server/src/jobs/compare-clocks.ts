import type { Clock } from "../store/database/clock.ts";
import type { Job } from "./jobs.ts";

/** A clock can be set at any time, so the comparison is more frequent than its warning. */
const INTERVAL_MS = 60_000;

/** Compares the server's clock with the database's. */
export const compareClocks = (clock: Clock): Job => ({ name: "compareClocks", intervalMs: INTERVAL_MS, run: clock.compare });
