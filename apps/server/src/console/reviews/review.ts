import type { Schema } from "@gatehouse/contract/console";
import type { Actor, Context } from "../../common/context.ts";
import { conflict } from "../../common/errors.ts";
import { randomID } from "../../common/identifier.ts";
import type { Repetition } from "../scheduled-changes/repetition.ts";
import type { Effect, StoredRequest } from "../scheduled-changes/scheduled-change.ts";
import { approversOf, type Requirement } from "./requirement.ts";

export type Review = Schema<"Review">;

/** The most comments, and the most approvals and rejections, of a review. */
const MAX_COMMENTS = 500;
const MAX_APPROVALS = 500;

/** What a request asks for itself: a review that no setting requires, and the people who are to review it, by id or email address. */
export type Asked = { requirements: Requirement[]; reviewers: readonly string[] };

type Given = StoredRequest &
  Effect & { applyAt: number | null; repeat?: Repetition | undefined; requirements: Requirement[]; reviewers: Reviewers };

type Reviewers = NonNullable<Review["reviewers"]>;

/** A review of a request that was just executed in vain. */
export function newReview({ requirements, repeat, reviewers, ...given }: Given, { actor, now, reason }: Context): Review {
  const review = {
    id: randomID(),
    status: "PENDING" as const,
    revision: 1,
    ...given,
    ...(repeat && { repeat }),
    reason: reason ?? null,
    author: toPerson(actor),
    ...(reviewers.length > 0 && { reviewers }),
    approvals: [],
    comments: [],
    moved: null,
    createdTime: now,
    revisedTime: now,
    endedTime: null,
    version: 1,
  };
  return { ...review, ...measured({ ...review, requirements }) };
}

/** Whether it can still be approved, revised or committed. */
export function isOpen({ status }: Pick<Review, "status">): boolean {
  return status === "PENDING" || status === "APPROVED";
}

const ENDED = { REJECTED: "was rejected", COMMITTED: "was already committed", CANCELED: "was canceled" };

/** @throws AppError conflict if it has ended, or is at another revision than the given one */
export function requireOpen({ id, status, revision }: Review, seen?: number): void {
  if (status !== "PENDING" && status !== "APPROVED") throw conflict(`Review ${id} ${ENDED[status]}.`, "status");
  if (seen !== undefined && seen !== revision)
    throw conflict(`Review ${id} is at revision ${revision}, not ${seen}. Read its changes again.`, "revision");
}

type Decision = { isApproved: boolean; note?: string | undefined };

/**
 * The review with an approval of its current revision, or ended by a rejection.
 * @param met which of its requirements the reviewer can meet, in their order
 * @throws AppError conflict
 */
export function decide(review: Review, { isApproved, note = "" }: Decision, met: readonly boolean[], { actor, now }: Context): Review {
  if (review.approvals.length >= MAX_APPROVALS) throw conflict(`Review ${review.id} has ${MAX_APPROVALS} approvals and rejections.`);
  const approvals = [...review.approvals, { reviewer: toPerson(actor), revision: review.revision, isApproved, note, time: now }];
  const next = { ...review, approvals, version: review.version + 1 };
  if (!isApproved) return { ...next, status: "REJECTED", endedTime: now };
  const requirements = review.requirements.map((one, index) => ({ ...one, isMet: one.isMet || met[index] === true }));
  return { ...next, ...measured({ ...next, requirements }) };
}

/** The review that other people are asked to do. */
export function askReviewers({ reviewers: _, ...review }: Review, reviewers: Reviewers): Review {
  return { ...review, ...(reviewers.length > 0 && { reviewers }) };
}

/** @param mentions the people that the text names @throws AppError conflict if it has as many comments as it can have */
export function comment(review: Review, text: string, { actor, now }: Context, mentions: readonly Actor[] = []): Review {
  if (review.comments.length >= MAX_COMMENTS) throw conflict(`Review ${review.id} has ${MAX_COMMENTS} comments. It can have no more.`);
  const added = { author: toPerson(actor), text, time: now, ...(mentions.length > 0 && { mentions: mentions.map(toPerson) }) };
  return { ...review, comments: [...review.comments, added], version: review.version + 1 };
}

type Revision = Effect & { requirements: Requirement[]; body?: unknown; moved: string | null };

/**
 * The review with the changes that the request makes now. It has no approvals.
 * @param revision.requirements those of the project's settings
 */
export function revise(review: Review, { requirements: required, ...revision }: Revision, { now }: Pick<Context, "now">): Review {
  const requirements = [...required, ...askedIn(review).map((one) => ({ ...one, isMet: false }))];
  const next = { ...review, ...revision, revision: review.revision + 1, revisedTime: now, version: review.version + 1 };
  return { ...next, ...measured({ ...next, requirements }) };
}

/** The review with the requirements that the project's settings have now. Those that it had keep their approvals. */
export function withRequirements(review: Review, required: Requirement[]): Review {
  const requirements = [...required, ...askedIn(review)];
  const met = new Set(review.requirements.filter(({ isMet }) => isMet).map(keyOf));
  const merged = requirements.map((one) => ({ ...one, isMet: met.has(keyOf(one)) }));
  return { ...review, ...measured({ ...review, requirements: merged }), version: review.version + 1 };
}

/** @throws AppError conflict that says who can approve it */
export function requireApproved(review: Review): void {
  requireOpen(review);
  if (review.status === "PENDING") throw conflict(`Review ${review.id} is not approved yet. ${review.approvers}`, "status");
}

export function committed(review: Review, { now }: Pick<Context, "now">): Review {
  return { ...review, status: "COMMITTED", endedTime: now, version: review.version + 1 };
}

export function cancel(review: Review, { now }: Pick<Context, "now">): Review {
  requireOpen(review);
  return { ...review, status: "CANCELED", endedTime: now, version: review.version + 1 };
}

/** The people who approved the current revision, each once. */
export function approvedBy({ approvals, revision }: Pick<Review, "approvals" | "revision">): string[] {
  const current = approvals.filter((one) => one.isApproved && one.revision === revision);
  return [...new Set(current.map(({ reviewer }) => reviewer.email ?? reviewer.name))];
}

function measured(review: Pick<Review, "author" | "requirements">): Pick<Review, "status" | "requirements" | "approvers"> {
  const { requirements } = review;
  const isApproved = requirements.every(({ isMet }) => isMet);
  return { status: isApproved ? "APPROVED" : "PENDING", requirements, approvers: approversOf(requirements) };
}

/** The requirements that the author asked for. No change of a setting removes them. */
function askedIn({ requirements }: Pick<Review, "requirements">): Requirement[] {
  return requirements.filter(({ kind }) => kind === "AUTHOR");
}

function keyOf({ isMet: _, ...requirement }: Requirement): string {
  return JSON.stringify(requirement);
}

function toPerson({ id, name, email }: Actor): Review["author"] {
  return { id, name, email };
}
