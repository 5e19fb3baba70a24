import type { Request } from "../../api.ts";
import { ACTIVE } from "../../releases/reads.ts";

/** The most entities that a section lists. */
export const SHOWN = 5;
/** Among so many running experiments, only the ones that have run as long as planned are read. */
const LOOKED_THROUGH = 50;

/** The page's requests. The loader uses them as well. */
export const ANY = { query: { limit: 1, includeArchived: true } } as const satisfies Request<"listGates" | "listDynamicConfigs">;
export const ANY_EXPERIMENT: Request<"listExperiments"> = { query: { limit: 1 } };
export const STALE_GATES: Request<"listGates"> = { query: { type: ["STALE"], limit: SHOWN, sort: "lastModifiedTime", order: "asc" } };
export const RUNNING: Request<"listExperiments"> = {
  query: { status: ["active", "assignment_stopped"], limit: LOOKED_THROUGH, order: "asc" },
};
export const STOPPED: Request<"listExperiments"> = {
  query: { status: ["experiment_stopped"], limit: SHOWN, sort: "lastModifiedTime", order: "asc" },
};
/** Reviews that the reader can approve. */
export const NEEDED_REVIEWS: Request<"listReviews"> = { query: { needsMe: true, limit: SHOWN } };
/** Releases that have not ended, the latest first. */
export const RELEASES: Request<"listReleases"> = { query: { status: [...ACTIVE], limit: LOOKED_THROUGH } };
export const ALERTS: Request<"listAlerts"> = { query: { limit: 100 } };
/** The last changed entities of an owner. */
export const ownedBy = (ownerID: string) => ({ query: { ownerID, limit: SHOWN, sort: "lastModifiedTime", order: "desc" } }) as const;
export const STALE_EXPERIMENTS: Request<"listExperiments"> = {
  query: { stale: true, limit: SHOWN, sort: "lastModifiedTime", order: "asc" },
};
