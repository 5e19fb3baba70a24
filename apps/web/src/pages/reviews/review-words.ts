import type { Schema } from "../../api.ts";
import { nameOf } from "../../entity/mentions.ts";
import { listed } from "../../ui/list-text.ts";

/** The statuses in the order of the filter, with their names. */
export const STATUSES = {
  PENDING: { name: "Needs approval", tone: "warn" },
  APPROVED: { name: "Approved", tone: "good" },
  COMMITTED: { name: "Published", tone: "active" },
  REJECTED: { name: "Rejected", tone: "bad" },
  CANCELED: { name: "Canceled", tone: "off" },
} as const satisfies Record<Schema<"ReviewStatus">, object>;

/** “Approved by Ada and Grace.”: the people who approved the current revision. Undefined if no one did. */
export function approvedByText({ approvals, revision }: Pick<Schema<"Review">, "approvals" | "revision">): string | undefined {
  const approved = approvals.filter((one) => one.isApproved && one.revision === revision);
  const names = [...new Map(approved.map(({ reviewer }) => [reviewer.id, nameOf(reviewer)])).values()];
  return names.length === 0 ? undefined : `Approved by ${listed(names)}.`;
}
