import type { Request, Schema } from "../../api.ts";
import { type EntityType, isKind } from "../../kinds/kinds.ts";
import { numberIn, oneOf, textIn, withoutAbsent } from "../../shell/search-values.ts";

export type Status = Schema<"ReviewStatus">;

const STATUSES: readonly (Status | "all")[] = ["all", "PENDING", "APPROVED", "COMMITTED", "REJECTED", "CANCELED"];

/** The tabs of the list. */
export const TABS = { needed: "Needs your review", own: "Yours", all: "All" } as const;
export type Tab = keyof typeof TABS;

const MAX_PAGE = 100_000;
const PAGE_SIZE = 20;

export type PageSearch = {
  /** Absent for reviews that need the reader. */
  tab?: "own" | "all";
  /** Absent for open ones. */
  status?: Status | "all";
  /** Only reviews of changes to entities of this kind, or to one entity. */
  type?: EntityType;
  entity?: string;
  page?: number;
};

export function pageSearch(search: Record<string, unknown>): PageSearch {
  const type = textIn(search, "type");
  return withoutAbsent({
    tab: oneOf(search, "tab", ["own", "all"]),
    status: oneOf(search, "status", STATUSES),
    ...(type !== undefined && isKind(type) && { type, entity: textIn(search, "entity") }),
    page: numberIn(search, "page", { min: 2, max: MAX_PAGE }),
  });
}

export function pageRequest({ tab, status, type, entity, page }: PageSearch, personID: string): Request<"listReviews"> {
  const listed = status === undefined ? { open: true } : status === "all" ? {} : { status };
  return {
    query: {
      limit: PAGE_SIZE,
      ...(tab === undefined ? { needsMe: true } : listed),
      ...(tab === "own" && { authorID: personID }),
      ...(type !== undefined && { entityType: type }),
      ...(entity !== undefined && { entityID: entity }),
      ...(page !== undefined && { page }),
    },
  };
}
