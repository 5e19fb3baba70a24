import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { AppError, invalid } from "../../common/errors.ts";
import { mentionedIn } from "../common/mentions.ts";
import { paginate, pickFilters, toWindow } from "../common/page.ts";
import type { Env } from "../stores.ts";
import { cancel, comment, decide, type Review, requireOpen } from "./review.ts";
import { validated, withMessage } from "./validation.ts";

type Deciding = {
  path: { id: string };
  body?: { note?: string; revision?: number } | undefined;
  context: Env["context"];
  stores: Env["stores"];
};

export const reviewHandlers = {
  async listReviews({ query, context, stores }) {
    if (query.entityID !== undefined && query.entityType === undefined)
      throw invalid([{ property: "entityID", errorMessage: "needs entityType" }]);
    const teams = query.needsMe === undefined ? [] : await stores.teams.keysOfPerson(context.actor.email);
    const { data, total } = await stores.reviews.list(pickFilters(query), teams, toWindow(query));
    const pagination = paginate("/console/v1/reviews", query, total);
    return { status: 200, body: { message: "Reviews listed successfully.", data, pagination } };
  },

  async getReview({ path, stores }) {
    const data = await stores.reviews.get(path.id);
    return { status: 200, body: { message: "Review read successfully.", data } };
  },

  async approveReview(given) {
    const data = await decideOn(given, true);
    return { status: 200, body: { message: "Review approved successfully.", data } };
  },

  async rejectReview(given) {
    const data = await decideOn(given, false);
    return { status: 200, body: { message: "Review rejected successfully.", data } };
  },

  async commentOnReview({ path, body, context, stores }) {
    const review = await stores.reviews.get(path.id);
    const mentions = mentionedIn(body, await stores.members.findActive(body.mentions ?? []));
    const data = await stores.reviews.replace(review, comment(review, body.text, context, mentions));
    return { status: 200, body: { message: "Comment added successfully.", data } };
  },

  async cancelReview({ path, context, stores }) {
    const review = await stores.reviews.get(path.id);
    stores.reviews.requireCanceler(review);
    const data = await stores.reviews.replace(review, cancel(review, context));
    return { status: 200, body: { message: "Review canceled successfully.", data } };
  },

  async validateChange({ body, context, stores }) {
    const review = await stores.reviews.get(body.reviewID, { lock: true });
    await stores.reviews.replace(review, validated(review, body, context));
    return { status: 200, body: { message: "Validation status updated successfully" } };
  },

  async updateChangeValidationMessage({ body, stores }) {
    const review = await stores.reviews.get(body.reviewID, { lock: true });
    await stores.reviews.replace(review, withMessage(review, body.message));
    return { status: 200, body: { message: "Validation message updated successfully" } };
  },
} satisfies Partial<Handlers<operations, Env>>;

async function decideOn({ path, body = {}, context, stores }: Deciding, isApproved: boolean): Promise<Review> {
  const review = await stores.reviews.get(path.id);
  requireOpen(review, body.revision);
  stores.reviews.requireDecider(review);
  const ids = [...new Set(review.requirements.flatMap(({ team }) => (team ? [team.id] : [])))];
  const teams = await stores.teams.findNamed(ids);
  const met = stores.reviews.metBy(review, teams);
  const isOfUse = review.requirements.some((one, index) => met[index] && !one.isMet);
  if (!isOfUse && review.status === "PENDING")
    throw new AppError("forbidden", `Review ${review.id} has no requirement that you can meet. ${review.approvers}`);
  return stores.reviews.replace(review, decide(review, { ...body, isApproved }, met, context));
}
