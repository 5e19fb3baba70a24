import type { Request, Schema } from "../../api.ts";
import { numberIn, oneOf, withoutAbsent } from "../../shell/search-values.ts";

export type Kind = Schema<"NotificationKind">;

/** In the order of the filter and of the settings. Their texts are in `kinds.ts`, which the page loads. */
export const KIND_IDS = ["REVIEW", "MENTION", "ROLLOUT", "GUARDRAIL", "ALERT", "EXPERIMENT", "SCHEDULED_CHANGE"] as const satisfies Kind[];

export const TABS = { unread: "Unread", all: "All", settings: "Settings" } as const;
export type Tab = keyof typeof TABS;

const MAX_PAGE = 100_000;
const PAGE_SIZE = 20;

export type PageSearch = {
  /** Absent for unread notifications. */
  tab?: "all" | "settings";
  kind?: Kind;
  page?: number;
};

export function pageSearch(search: Record<string, unknown>): PageSearch {
  return withoutAbsent({
    tab: oneOf(search, "tab", ["all", "settings"]),
    kind: oneOf(search, "kind", KIND_IDS),
    page: numberIn(search, "page", { min: 2, max: MAX_PAGE }),
  });
}

export function pageRequest({ tab, kind, page }: PageSearch, projectID: string): Request<"listNotifications"> {
  return {
    path: { id: projectID },
    query: {
      limit: PAGE_SIZE,
      ...(tab === undefined && { unread: true }),
      ...(kind !== undefined && { kinds: [kind] }),
      ...(page !== undefined && { page }),
    },
  };
}
