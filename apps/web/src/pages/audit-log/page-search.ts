import type { Request } from "../../api.ts";
import { AUDITED_TYPES } from "../../kinds/kinds.ts";
import { dayIn, oneOf, textIn, withoutAbsent } from "../../shell/search-values.ts";

const VIEWS = ["changes", "trail", "instance"] as const;
export type View = (typeof VIEWS)[number];

const DAY_MS = 86_400_000;

/** The search parameters of the audit log. */
export function auditLogSearch(search: Record<string, unknown>) {
  return withoutAbsent({
    view: oneOf(search, "view", VIEWS),
    person: textIn(search, "person"),
    type: oneOf(search, "type", AUDITED_TYPES),
    entity: textIn(search, "entity"),
    operation: textIn(search, "operation"),
    from: dayIn(search, "from"),
    to: dayIn(search, "to"),
  });
}

export type AuditLogSearch = ReturnType<typeof auditLogSearch>;

/** The filter for changes. The last day counts whole. */
export function changesFilter({ person, type, entity, from, to }: AuditLogSearch): NonNullable<Request<"listChanges">["query"]> {
  return withoutAbsent({
    actorID: person,
    entityType: type,
    entityID: entity,
    startTime: from === undefined ? undefined : Date.parse(from),
    endTime: to === undefined ? undefined : Date.parse(to) + DAY_MS,
  });
}

/** The filters of the audit log. */
export function trailFilter({ operation, from, to }: AuditLogSearch): NonNullable<Request<"listAuditLogs">["query"]> {
  return withoutAbsent({ actionType: operation, startDate: from, endDate: to });
}

/** Whether the view shows less than everything. */
export function isFiltered({ view = "changes", ...search }: AuditLogSearch): boolean {
  return Object.keys(view === "changes" ? changesFilter(search) : trailFilter(search)).length > 0;
}
