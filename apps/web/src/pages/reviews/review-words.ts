import type { Schema } from "../../api.ts";
import { nameOf } from "../../entity/mentions.ts";
import { REVIEW_STATUSES } from "../../targeting/requirement-words.ts";
import { listed } from "../../ui/list-text.ts";

/** The statuses in the order of the filter, with their names. */
export const STATUSES = {
  PENDING: { name: REVIEW_STATUSES.PENDING, tone: "warn" },
  APPROVED: { name: REVIEW_STATUSES.APPROVED, tone: "good" },
  COMMITTED: { name: REVIEW_STATUSES.COMMITTED, tone: "active" },
  REJECTED: { name: REVIEW_STATUSES.REJECTED, tone: "bad" },
  CANCELED: { name: REVIEW_STATUSES.CANCELED, tone: "off" },
} as const satisfies Record<Schema<"ReviewStatus">, object>;

/** “Approved by Ada and Grace.”: the people who approved the current revision. Undefined if no one did. */
export function approvedByText({ approvals, revision }: Pick<Schema<"Review">, "approvals" | "revision">): string | undefined {
  const approved = approvals.filter((one) => one.isApproved && one.revision === revision);
  const names = [...new Map(approved.map(({ reviewer }) => [reviewer.id, nameOf(reviewer)])).values()];
  return names.length === 0 ? undefined : `Approved by ${listed(names)}.`;
}
