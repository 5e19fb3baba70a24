import type { Request } from "../../api.ts";
import { ACTIVE, type Release } from "../../releases/reads.ts";
import { numberIn, oneOf, withoutAbsent } from "../../shell/search-values.ts";

/** The tabs of the list, with the statuses of their releases. */
export const TABS = {
  active: { label: "Active", statuses: ACTIVE },
  waiting: { label: "Waiting for approval", statuses: ["WAITING_FOR_REVIEW"] },
  ended: { label: "Ended", statuses: ["COMPLETED", "ABORTED"] },
} as const satisfies Record<string, { label: string; statuses: readonly Release["status"][] }>;
export type Tab = keyof typeof TABS;

const MAX_PAGE = 100_000;
const PAGE_SIZE = 20;

/** Without a tab, releases that have not ended. */
export type PageSearch = { tab?: "waiting" | "ended"; page?: number };

export const pageSearch = (search: Record<string, unknown>): PageSearch =>
  withoutAbsent({ tab: oneOf(search, "tab", ["waiting", "ended"]), page: numberIn(search, "page", { min: 2, max: MAX_PAGE }) });

export const pageRequest = ({ tab = "active", page }: { tab?: Tab; page?: number }): Request<"listReleases"> => ({
  query: { status: [...TABS[tab].statuses], limit: PAGE_SIZE, ...(page !== undefined && { page }) },
});
