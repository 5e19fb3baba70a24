import { statusListSearch } from "../../entity/plain-list-search.ts";

/** The search parameters of the list. */
export const alertListSearch = statusListSearch(["alert", "warn", "stable", "setup_incomplete"]);
