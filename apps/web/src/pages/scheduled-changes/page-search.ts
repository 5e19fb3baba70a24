import type { Request, Schema } from "../../api.ts";
import { type EntityType, isKind } from "../../kinds/kinds.ts";
import { numberIn, oneOf, textIn, withoutAbsent } from "../../shell/search-values.ts";

export type Status = Schema<"ScheduledChangeStatus">;

/** The statuses in the order of the filter, with their names. */
export const STATUSES = {
  SCHEDULED: { name: "Scheduled", tone: "active" },
  APPLIED: { name: "Applied", tone: "good" },
  FAILED: { name: "Failed", tone: "bad" },
  CANCELED: { name: "Canceled", tone: "off" },
} as const satisfies Record<Status, object>;

const MAX_PAGE = 100_000;
const PAGE_SIZE = 20;

export type PageSearch = {
  /** Absent for scheduled ones; "all" for every status. */
  status?: Status | "all";
  /** Only changes of entities of this kind, or of one entity. */
  type?: EntityType;
  entity?: string;
  page?: number;
};

export function pageSearch(search: Record<string, unknown>): PageSearch {
  const type = textIn(search, "type");
  return withoutAbsent({
    status: oneOf(search, "status", ["all", "APPLIED", "FAILED", "CANCELED"]),
    ...(type !== undefined && isKind(type) && { type, entity: textIn(search, "entity") }),
    page: numberIn(search, "page", { min: 2, max: MAX_PAGE }),
  });
}

export function pageRequest({ status = "SCHEDULED", type, entity, page }: PageSearch): Request<"listScheduledChanges"> {
  return {
    query: {
      limit: PAGE_SIZE,
      ...(status !== "all" && { status }),
      ...(type !== undefined && { entityType: type }),
      ...(entity !== undefined && { entityID: entity }),
      ...(page !== undefined && { page }),
    },
  };
}
