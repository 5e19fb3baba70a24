import { statusListSearch } from "../../entity/plain-list-search.ts";

/** The search parameters of the list. */
export const autotuneListSearch = statusListSearch(["setup", "active", "decision_made"]);
