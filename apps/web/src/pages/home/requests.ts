import type { Request } from "../../api.ts";

const SHOWN = 5;
/** Among so many running experiments, those that have run as long as planned are looked for. */
const LOOKED_THROUGH = 50;

/** What the page reads. The loader reads the same. */
export const ANY_GATE: Request<"listGates"> = { query: { limit: 1, includeArchived: true } };
export const STALE_GATES: Request<"listGates"> = { query: { type: ["STALE"], limit: SHOWN, sort: "lastModifiedTime", order: "asc" } };
export const RUNNING: Request<"listExperiments"> = {
  query: { status: ["active", "assignment_stopped"], limit: LOOKED_THROUGH, order: "asc" },
};
export const STOPPED: Request<"listExperiments"> = {
  query: { status: ["experiment_stopped"], limit: SHOWN, sort: "lastModifiedTime", order: "asc" },
};
export const STALE_EXPERIMENTS: Request<"listExperiments"> = {
  query: { stale: true, limit: SHOWN, sort: "lastModifiedTime", order: "asc" },
};
