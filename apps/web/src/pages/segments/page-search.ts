import { numberIn, oneOf, withoutAbsent } from "../../shell/search-values.ts";

export const TABS = ["members", "history", "used-by", "details"] as const;
export type Tab = (typeof TABS)[number];

const MAX_PAGE = 100_000;

/** What the address of a segment's page says. */
export const segmentPageSearch = (search: Record<string, unknown>) =>
  withoutAbsent({
    tab: oneOf(search, "tab", TABS),
    page: numberIn(search, "page", { min: 2, max: MAX_PAGE }),
    version: numberIn(search, "version", { min: 1, max: 1e9 }),
  });
