import type { Request, RequestHandler } from "express";
import { prepareCommit, prepareRevision, prepareTrial, type Review } from "../../changes/commit-review.ts";
import type { PermittedContext } from "../../common/context.ts";
import { AppError } from "../../common/errors.ts";
import { createChangeLog, type Entry } from "../../store/change-log/change-log.ts";
import { type Db, writing } from "../../store/database/unit-of-work.ts";
import { type ConsoleOperation, checkedRequest, type Executed, isDryRun, precondition } from "./execute.ts";
import { type StoringServices, serveRead, serveTransaction } from "./serve-operation.ts";

/** The most users seen last whose values are compared. */
const IMPACT_USERS = 1_000;

/** Serves a review. While it is open, with the effect of its request on users seen recently. */
export function serveReview(operation: ConsoleOperation, services: StoringServices): RequestHandler {
  return serveRead(operation, services, async (body, context) => {
    const impact = await estimateImpact(services, body.data as Review, context);
    return { ...body, ...(impact && { impact }) };
  });
}

/** The effect of the request if it were made now. Undefined if the review has ended, the request would fail, or too many impacts are computed at once. */
async function estimateImpact(services: StoringServices, review: Review, context: PermittedContext) {
  const { database, previews } = services;
  try {
    const tryIn = await prepareTrial(services, review, context);
    if (!tryIn) return undefined;
    const propose = async (db: Db) => previews.propose(db, context.projectID, await tryIn(db));
    const proposed = await writing(database, propose, { dryRun: true });
    return await proposed.impact({ most: IMPACT_USERS });
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/** Serves the commit of a review: the stored request is executed in its transaction, in the name of its author. */
export function serveCommit(operation: ConsoleOperation, services: StoringServices): RequestHandler {
  return serveTransaction(operation, services, async (request, _response, context) => {
    const commit = await prepareCommit(services, idIn(request), context, { dryRun: isDryRun(request) });
    return async (db) => {
      const log = createChangeLog(db, context, precondition(checkedRequest(request, services), operation));
      const { review, entries } = await commit({ db, context, log });
      return { ...executed("Review committed successfully.", review, [...entries, ...log.entries]), isReviewed: true };
    };
  });
}

/** Serves the revision of a review: its new request is tried first. */
export function serveRevision(operation: ConsoleOperation, services: StoringServices): RequestHandler {
  return serveTransaction(operation, services, async (request, _response, context) => {
    const store = await prepareRevision(services, idIn(request), request.body, context);
    return async (db) => {
      const log = createChangeLog(db, context, precondition(checkedRequest(request, services), operation));
      return executed("Review revised successfully.", await store({ db, context, log }), log.entries);
    };
  });
}

function idIn({ params }: Request): string {
  return String(params.id);
}

function executed(message: string, data: Review, entries: readonly Entry[]): Executed {
  const result = { status: 200, body: { message, data } };
  return { result, kept: result, entries };
}
