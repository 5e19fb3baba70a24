import type { Release } from "../releases/release.ts";
import type { Review } from "../reviews/review.ts";
import type { NotificationEvent } from "./notification.ts";

/** Requests that no longer need an answer. */
export type Answered = {
  event: NotificationEvent;
  opens: { type: string; id: string };
  /** When the entity was created, ms. It was not requested before. */
  since: number;
  /** The one person who has answered. Null if the request is closed for everyone. */
  personID: string | null;
};

type Entry = { entityType: string; actorID: string; before: string | null; after: string | null };

/** The requests that an entry of the change log answers: approvals of a review, or of a phase of a release. */
export function answeredBy({ entityType, actorID, before: old, after: text }: Entry): Answered | undefined {
  if (old === null || text === null) return undefined;
  if (entityType === "review") return answeredInReview(JSON.parse(old), JSON.parse(text), actorID);
  if (entityType === "release") return answeredInRelease(JSON.parse(old), JSON.parse(text));
  return undefined;
}

function answeredInReview(before: Review, after: Review, actorID: string): Answered | undefined {
  const isClosed = before.status === "PENDING" && after.status !== "PENDING";
  const isApproved = after.approvals.length > before.approvals.length;
  if (!isClosed && !isApproved) return undefined;
  const { id, createdTime: since } = after;
  return { event: "REVIEW_REQUESTED", opens: { type: "review", id }, since, personID: isClosed ? null : actorID };
}

function answeredInRelease(before: Release, after: Release): Answered | undefined {
  const isAnswered = after.status !== before.status || after.currentPhaseID !== before.currentPhaseID;
  if (before.status !== "WAITING_FOR_REVIEW" || !isAnswered) return undefined;
  const { id, createdTime: since } = after;
  return { event: "ROLLOUT_NEEDS_APPROVAL", opens: { type: "release", id }, since, personID: null };
}
