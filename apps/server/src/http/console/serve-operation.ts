import type { OperationDescription } from "@gatehouse/contract";
import type { Request, RequestHandler, Response } from "express";
import { toEffect } from "../../changes/effect.ts";
import type { Executor, StoredRequest } from "../../changes/executor.ts";
import type { Foreseen } from "../../changes/foresee.ts";
import { needsReview, requirePublished } from "../../changes/publishing.ts";
import { findReviewers } from "../../changes/reviewers.ts";
import { requestReview, type Stored, scheduleChange } from "../../changes/store-change.ts";
import type { PermittedContext } from "../../common/context.ts";
import { AppError } from "../../common/errors.ts";
import type { Proposed } from "../../console/previews.ts";
import { createStores, findByID } from "../../console/stores.ts";
import { createChangeLog } from "../../store/change-log/change-log.ts";
import type { Database } from "../../store/database/database.ts";
import { readingOnStandby } from "../../store/database/read-replica.ts";
import { type Db, reading, writing } from "../../store/database/unit-of-work.ts";
import { namesTagWeakly } from "../../store/requests/entity-tag.ts";
import { type Answer, findAnswer, type KeyedRequest } from "../../store/requests/idempotency.ts";
import type { Subject } from "../../store/requests/read-ahead.ts";
import { NO_ANALYSES } from "./analyses.ts";
import { getCredentials } from "./authenticate.ts";
import { withBasePath } from "./base-links.ts";
import {
  type ConsoleOperation,
  type ConsoleServices,
  checkedRequest,
  createContext,
  dryResult,
  type Executed,
  execute,
  isDryRun,
  type Result,
  run,
  toEtag,
} from "./execute.ts";
import { bodyText, sendText } from "./send-json.ts";
import { keyedRequest, readAsked, readBypass, readReason, readSample, readSchedule, toStored } from "./write-request.ts";

/** How a write ended: executed, or replayed with the response to an earlier request with its Idempotency-Key. */
type Outcome = { kind: "executed"; result: Result } | { kind: "replayed"; answer: Answer };

/** The services that execute writes, or store them. */
export type StoringServices = ConsoleServices & { executor: Executor };

/** Adds to the response of a read what needs more than its transaction. */
type Complete = (body: Result["body"], context: PermittedContext) => Promise<Result["body"]>;

/** Serves a read, or 304 if If-None-Match matches the current version. */
export function serveRead(operation: ConsoleOperation, services: ConsoleServices, complete?: Complete): RequestHandler {
  const { database, now, analyses, callers } = services;
  const read = isLarge(operation) ? readingOnStandby : reading;
  return async (request, response) => {
    const context = createContext(response, operation, now());
    const checked = checkedRequest(request, services);
    const own = operation.analyses ? analyses.of(operation).of(response, context.projectID) : NO_ANALYSES;
    const { status, body } = await read(database, (db) => {
      return run(operation, checked, { context, db, log: createChangeLog(db, context), ...own }, services);
    });
    const etag = toEtag(body);
    if (etag !== null) response.set("ETag", etag);
    const held = request.get("If-None-Match");
    if (etag !== null && held !== undefined && namesTagWeakly(held, etag)) response.status(304).end();
    else response.status(status).json(withBasePath(complete ? await complete(body, context) : body, callers.basePath));
  };
}

/** Whether a read may need many rows: of a list, or of the events of results. */
function isLarge({ operationId, analyses, asks }: OperationDescription): boolean {
  return (analyses === true && asks === undefined) || /^list[A-Z]/.test(operationId);
}

/** Serves a write. */
export function serveWrite(operation: ConsoleOperation, services: StoringServices): RequestHandler {
  return serveTransaction(operation, services, (request, _response, context) => {
    const checked = checkedRequest(request, services);
    return (db) => execute(operation, checked, { context, db }, services);
  });
}

/**
 * Executes a request in a transaction. `stored` is the request that is stored instead if it has to wait, unless that is the request itself, and
 * `restate` makes the error of storing it one of the request that arrived.
 */
type ExecuteIn = ((db: Db) => Promise<Executed>) & { stored?: StoredRequest; restate?: (error: unknown) => unknown };

/** Prepares a request before its transaction begins. Each attempt of the transaction calls the returned function. */
type Prepare = (request: Request, response: Response, context: PermittedContext) => ExecuteIn | Promise<ExecuteIn>;

/** Thrown to roll back a write that needs a review. */
class ReviewNeeded {
  readonly foreseen: Foreseen;
  constructor(foreseen: Foreseen) {
    this.foreseen = foreseen;
  }
}

/**
 * Executes writes in one transaction, with their change log. A write that needs a review is rolled back and stored. With an Idempotency-Key
 * the response is stored in the same transaction. That fails if the key was used before, or if the write cannot happen twice: then the
 * stored response is sent.
 */
export function serveTransaction(description: OperationDescription, services: StoringServices, prepare: Prepare): RequestHandler {
  const { database, now, answers, previews, executor } = services;
  const mayNeedReview = description.takesApplyAt;
  return async (request, response) => {
    const bypass = readBypass(request, getCredentials(response));
    const asked = readAsked(request, bypass);
    const context = createContext(response, description, now(), readReason(request, bypass));
    const dryRun = isDryRun(request);
    const impact = readSample(request, dryRun);
    // Someone who publishes in some environments only needs the comparison for writes without reviews as well.
    const skipsReviews = bypass || !mayNeedReview || context.skipsReviews === true;
    const isCompared = !skipsReviews || context.publishing !== null;
    let proposed: Proposed | undefined;
    const keyed = dryRun ? undefined : keyedRequest(request, context);
    const schedule = readSchedule(request);
    const work = async (db: Db, executeIn: ExecuteIn, isLastAttempt: boolean): Promise<Result> => {
      const rules = isCompared ? executor.readRulesFor({ type: description.entity, body: request.body }, { db, context }) : undefined;
      const executed = await executeIn(db);
      if (impact) proposed = await previews.propose(db, context.projectID, executed.entries);
      const compared = { db, context, rules, isLastAttempt, skipsReviews };
      const found = isCompared && !executed.isReviewed ? await executor.findRequirements(executed.entries, compared) : [];
      const requirements = [...found, ...asked.requirements];
      if (dryRun) await findReviewers({ db, context }, asked.reviewers, requirements);
      if (dryRun) return dryResult(executed, requirements);
      const isReviewable = mayNeedReview === true && !bypass;
      if (!isReviewable || !needsReview(requirements)) requirePublished({ requirements, publishing: context.publishing, isReviewable });
      if (requirements.length > 0) throw new ReviewNeeded({ effect: toEffect(executed.entries), requirements });
      if (keyed) answers.keep(db, keyed, toAnswer(executed.kept));
      return executed.result;
    };
    let stored: Result | undefined;
    const keep = async (db: Db, one: Stored) => {
      stored = await toStoredResult(db, one, addressedIn(description, request), context);
      if (keyed) answers.keep(db, keyed, toAnswer(stored));
    };
    let toKeep: StoredRequest | undefined;
    const execute = async (): Promise<Result> => {
      const executeIn = await prepare(request, response, context);
      toKeep = executeIn.stored ?? toStored(description, request);
      const attempt = (isLastAttempt: boolean) => writing(database, (db) => work(db, executeIn, isLastAttempt), { dryRun });
      if (!schedule) return isCompared ? executor.withLatestProject(context.projectID, attempt) : attempt(true);
      await scheduleChange(services, { request: toKeep, schedule, asked }, context, keep).catch((error: unknown) => {
        throw executeIn.restate?.(error) ?? error;
      });
      return stored as unknown as Result;
    };
    const askForReview = async (error: unknown): Promise<Result> => {
      if (!(error instanceof ReviewNeeded)) throw error;
      const { foreseen } = error;
      const { reviewers } = asked;
      await requestReview(services, { request: toKeep as StoredRequest, applyAt: null, foreseen, reviewers }, context, keep);
      return stored as unknown as Result;
    };
    const outcome = await execute()
      .catch(askForReview)
      .then(
        (result): Outcome => ({ kind: "executed", result }),
        async (error: unknown): Promise<Outcome> => {
          const answer = keyed && (await findKept(database, keyed, error));
          if (!answer) throw error;
          return { kind: "replayed", answer };
        },
      );
    if (outcome.kind === "replayed") return sendReplay(response, outcome.answer);
    const { status, body } = outcome.result;
    if (impact) body.impact = await proposed?.impact(impact);
    // The version of a dry run has no ETag, since another write may get its number.
    const etag = dryRun ? null : toEtag(body);
    if (etag !== null) response.set("ETag", etag);
    response.status(status).json(body);
  };
}

/** The response to the earlier request with the key, if that is why this write failed. @throws AppError if that request was another one */
async function findKept(database: Database, request: KeyedRequest, error: unknown): Promise<Answer | undefined> {
  const kept = await reading(database, (db) => findAnswer(db, request)).catch(() => {
    throw error;
  });
  if (!kept?.isOther) return kept?.answer;
  throw new AppError("idempotency_key_reused", "The Idempotency-Key was used for another request. Send a new key with a new request.");
}

function sendReplay(response: Response, { status, etag, body }: Answer): void {
  if (etag !== null) response.set("ETag", etag);
  sendText(response.status(status).set("Idempotency-Replayed", "true"), body);
}

function toAnswer({ status, body }: Result): Answer {
  return { status, etag: toEtag(body), body: bodyText(body) };
}

/** The answer to a request that was stored. A request for a review shows the entity as it is. */
async function toStoredResult(db: Db, stored: Stored, addressed: Subject | undefined, context: PermittedContext): Promise<Result> {
  if (stored.kind === "scheduled") return { status: 202, body: { message: "Change scheduled successfully.", data: stored.change } };
  const { review } = stored;
  const stores = createStores({ db, context, log: createChangeLog(db, context) });
  const entity = addressed && (await findByID(stores, addressed.type.replace(/_overrides$/, ""), addressed.id));
  return {
    status: 202,
    body: { message: `The change needs a review, and was not made. ${review.approvers}`, data: entity ?? null, review },
  };
}

function addressedIn(description: OperationDescription | ConsoleOperation, { params }: Request): Subject | undefined {
  const guarded = "guarded" in description ? description.guarded : undefined;
  return guarded?.parameter === undefined ? undefined : { type: guarded.type, id: String(params[guarded.parameter]) };
}
