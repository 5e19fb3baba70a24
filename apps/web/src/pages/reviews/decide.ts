// What a person can do with a review. Pure.
import type { Schema } from "../../api.ts";
import { approversText } from "../../targeting/requirement-words.ts";

type Review = Schema<"Review">;
type Requirement = Schema<"ReviewRequirement">;
type Team = Pick<Schema<"Team">, "id" | "members" | "admins">;

export type Reader = {
  id: string;
  email: string;
  /** The only environments where the reader publishes; null means every one. */
  publishesIn: readonly string[] | null;
  permissions: Partial<Record<"approve_reviews" | "self_approve_review" | "edit_or_delete_configs", boolean>>;
};

/** An action: absent, possible, or impossible for a reason. */
export type Offer = "absent" | { disabledReason: string | undefined };

const ABSENT = "absent";
const POSSIBLE: Offer = { disabledReason: undefined };

export const isOpen = ({ status }: Pick<Review, "status">): boolean => status === "PENDING" || status === "APPROVED";

/** Whether the review is the reader's own change, which they can approve only with a permission for that. */
const isBarred = ({ author }: Review, { id, permissions }: Reader): boolean =>
  permissions.approve_reviews !== true || (author.id === id && permissions.self_approve_review !== true);

/** @param teams those that requirements name */
export function approving(review: Review, reader: Reader, teams: readonly Team[]): Offer {
  if (review.status !== "PENDING" || isBarred(review, reader)) return ABSENT;
  const open = review.requirements.filter(({ isMet }) => !isMet);
  return open.some((one) => canMeet(one, reader, teams)) ? POSSIBLE : { disabledReason: approversText(review.requirements) };
}

export function rejecting(review: Review, reader: Reader, teams: readonly Team[]): Offer {
  if (!isOpen(review) || isBarred(review, reader)) return ABSENT;
  return review.status === "APPROVED" ? POSSIBLE : approving(review, reader, teams);
}

/** The author can publish it, and people who can make such changes. The server asks for the permissions of the change itself. */
export function publishing({ status, author, validation }: Review, { id, permissions }: Reader): Offer {
  if (status !== "APPROVED" && status !== "PENDING") return ABSENT;
  if (author.id !== id && permissions.edit_or_delete_configs !== true) return ABSENT;
  if (status === "PENDING") return { disabledReason: "Needs approval first." };
  if (isValidated(validation)) return POSSIBLE;
  return { disabledReason: hasFailed(validation) ? "Its validation failed. Revise it first." : "The webhook hasn’t validated it yet." };
}

/** Whether the webhook refused the change, or did not answer in time. */
export const hasFailed = (validation: Review["validation"]): boolean => validation?.status === "FAILED";

/** Whether no webhook has to validate the change, or it has. */
export const isValidated = (validation: Review["validation"]): boolean => !validation || validation.status === "VALIDATED";

export function canceling(review: Review, { id, permissions }: Reader): Offer {
  return isOpen(review) && (review.author.id === id || permissions.approve_reviews === true) ? POSSIBLE : ABSENT;
}

export const revising = (review: Review, { id }: Reader): Offer => (isOpen(review) && review.author.id === id ? POSSIBLE : ABSENT);

export const asking = (review: Review, { id }: Reader): Offer =>
  review.status === "PENDING" && review.author.id === id ? POSSIBLE : ABSENT;

function canMeet({ kind, name, team, people }: Requirement, { id, email, publishesIn }: Reader, teams: readonly Team[]): boolean {
  if (kind === "PUBLISH") return publishesIn === null || publishesIn.some((one) => isSame(one, name));
  if (people !== null && !people.some((one) => one.id === id || isSame(one.email, email))) return false;
  if (team === null) return true;
  const found = teams.find((one) => one.id === team.id);
  const allowed = found === undefined ? [] : team.adminsOnly ? found.admins : [...found.members, ...found.admins];
  return allowed.some((one) => isSame(one.email, email));
}

const isSame = (one: string | null, other: string): boolean => one?.toLowerCase() === other.toLowerCase();
