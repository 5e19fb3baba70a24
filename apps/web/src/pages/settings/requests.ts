import type { Request } from "../../api.ts";

/** The teams that can approve changes of environments. The loader reads them too: a draft keeps those that it began with. */
export const TEAMS: Request<"listTeams"> = { query: { limit: 1000 } };
