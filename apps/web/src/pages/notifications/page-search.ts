import type { Request, Schema } from "../../api.ts";
import { numberIn, oneOf, withoutAbsent } from "../../shell/search-values.ts";

export type Kind = Schema<"NotificationKind">;

/** The kinds in the order of the filter and of the settings. */
export const KINDS = {
  REVIEW: { label: "Reviews", help: "Someone asks for your approval, or something happens to a review that you requested." },
  MENTION: { label: "Mentions", help: "Someone mentions you in a comment." },
  ROLLOUT: { label: "Rollouts", help: "A release needs your approval, your rollout finishes, or someone pauses or aborts it." },
  GUARDRAIL: {
    label: "Guardrails",
    help: "A metric of your gate or experiment gets worse than its guardrail allows, or a guardrail pauses your rollout.",
  },
  ALERT: { label: "Alerts", help: "An alert that you created is raised, warns, has no data or is resolved." },
  EXPERIMENT: { label: "Experiments", help: "An experiment of yours ran as long as planned." },
  SCHEDULED_CHANGE: { label: "Scheduled changes", help: "A change that you scheduled failed." },
} as const satisfies Record<Kind, { label: string; help: string }>;

export const KIND_IDS = Object.keys(KINDS) as Kind[];

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
