import type { Request } from "../../api.ts";
import { numberIn, oneOf, textIn, withoutAbsent } from "../../shell/search-values.ts";

const MAX_TEXT = 100;
const MAX_USER = 1_000;
const MAX_PAGE = 100_000;
/** The most names that are shown at once. */
export const MAX_NAMES = 1_000;
export const SORTS = ["name", "count", "lastTime"] as const;

/** The search parameters of the event names. */
export const eventListSearch = (search: Record<string, unknown>) =>
  withoutAbsent({
    search: textIn(search, "search")?.slice(0, MAX_TEXT),
    sort: oneOf(search, "sort", SORTS),
    order: oneOf(search, "order", ["asc", "desc"]),
  });

export const eventListRequest = ({ search }: { search?: string }): Request<"listEvents"> => ({
  query: { limit: MAX_NAMES, ...(search !== undefined && { search }) },
});

/** The search parameters of the events of one name. */
export const eventPageSearch = (search: Record<string, unknown>) =>
  withoutAbsent({
    user: textIn(search, "user")?.slice(0, MAX_USER),
    page: numberIn(search, "page", { min: 2, max: MAX_PAGE }),
  });

export const eventPageRequest = (eventName: string, { user, page }: ReturnType<typeof eventPageSearch>): Request<"listEventValues"> => ({
  path: { eventName },
  query: { limit: 50, ...(user !== undefined && { userID: user }), ...(page !== undefined && { page }) },
});
