import type { Permission } from "@gatehouse/contract";
import type { Publishing } from "../../common/context.ts";
import type { Release } from "../releases/release.ts";
import { canMeet, type Team } from "../reviews/requirement.ts";
import { approvedBy, type Review } from "../reviews/review.ts";
import type { NotificationKind } from "./notification.ts";

/** A person who can sign in and has access to the project. */
export type Reader = {
  id: string;
  name: string;
  email: string;
  /** False for a server administrator who isn't a member of the project. */
  isMember: boolean;
  permissions: ReadonlySet<Permission>;
  publishing: Publishing | null;
  /** The kinds that the person gets no notifications of. */
  muted: readonly NotificationKind[];
  /** The other kinds that the person also gets by email. */
  emailed: readonly NotificationKind[];
};

/**
 * The people who are notified that a review waits: those that its author asked, until they approve it. Otherwise, everyone except
 * its author who can meet one of its open requirements and has not approved it yet.
 * If anyone with the permission can meet it, these are members: administrators of other projects are not notified.
 * @param teams those that the requirements name
 */
export function reviewersToNotify(review: Review, readers: readonly Reader[], teams: readonly Team[]): string[] {
  const open = review.requirements.filter(({ isMet }) => !isMet);
  const approved = new Set(approvedBy(review));
  const asked = (review.reviewers ?? []).filter(({ name, email }) => !approved.has(email ?? name));
  if (asked.length > 0) return asked.map(({ id }) => id);
  return readers
    .filter(({ id, name, email, isMember, permissions, publishing }) => {
      if (id === review.author.id || approved.has(email) || !permissions.has("approve_reviews")) return false;
      return open.some(
        (one) => (isMember || one.team !== null || one.people !== null) && canMeet(one, { actor: { id, name, email }, publishing }, teams),
      );
    })
    .map(({ id }) => id);
}

/** The members who are notified that a phase of a release waits for its approval: those who may approve it. */
export function approversToNotify({ creatorID }: Pick<Release, "creatorID">, readers: readonly Reader[]): string[] {
  return readers
    .filter(({ id, isMember, permissions }) => {
      const mayApprove = permissions.has("approve_required_review_release_pipeline_phase");
      return isMember && mayApprove && (id !== creatorID || permissions.has("self_approve_review"));
    })
    .map(({ id }) => id);
}
