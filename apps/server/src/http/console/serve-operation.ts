import type { OperationDescription } from "@gatehouse/contract";
import type { Request, RequestHandler, Response } from "express";
import type { Executor, StoredRequest } from "../../changes/executor.ts";
import { scheduleChange } from "../../changes/schedule.ts";
import type { Context, PermittedContext } from "../../common/context.ts";
import { AppError, invalid } from "../../common/errors.ts";
import type { Proposed, Sample } from "../../console/previews.ts";
import { createChangeLog } from "../../store/change-log/change-log.ts";
import type { Database } from "../../store/database/database.ts";
import { type Db, reading, writing } from "../../store/database/unit-of-work.ts";
import { namesTagWeakly } from "../../store/requests/entity-tag.ts";
import { type Answer, findAnswer, type KeyedRequest } from "../../store/requests/idempotency.ts";
import { fingerprint } from "../common/body.ts";
import { NO_ANALYSES } from "./analyses.ts";
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

/** How a write ended: executed, or replayed with the response to an earlier request with its Idempotency-Key. */
type Outcome = { kind: "executed"; result: Result } | { kind: "replayed"; answer: Answer };

/** The services that execute writes, or schedule them. */
export type SchedulingServices = ConsoleServices & { executor: Executor };

/** Serves a read, or 304 if If-None-Match matches the current version. */
export function serveRead(operation: ConsoleOperation, services: ConsoleServices): RequestHandler {
  const { database, now, analyses } = services;
  return async (request, response) => {
    const context = createContext(response, operation, now());
    const checked = checkedRequest(request, services);
    const own = operation.analyses ? analyses.of(response, context.projectID) : NO_ANALYSES;
    const { status, body } = await reading(database, (db) => {
      return run(operation, checked, { context, db, log: createChangeLog(db, context), ...own }, services);
    });
    const etag = toEtag(body);
    if (etag !== null) response.set("ETag", etag);
    const held = request.get("If-None-Match");
    if (etag !== null && held !== undefined && namesTagWeakly(held, etag)) response.status(304).end();
    else response.status(status).json(body);
  };
}

/** Serves a write. */
export function serveWrite(operation: ConsoleOperation, services: SchedulingServices): RequestHandler {
  return serveTransaction(operation, services, (request, _response, context) => {
    const checked = checkedRequest(request, services);
    return (db) => execute(operation, checked, { context, db }, services);
  });
}

/** Prepares a request before its transaction begins. Each attempt of the transaction calls the returned function. */
type Prepare = (
  request: Request,
  response: Response,
  context: PermittedContext,
) => ((db: Db) => Promise<Executed>) | Promise<(db: Db) => Promise<Executed>>;

/**
 * Executes writes in one transaction, with their change log. With an Idempotency-Key the response is stored in the same transaction. That
 * fails if the key was used before, or if the write cannot happen twice: then the stored response is sent.
 */
export function serveTransaction(description: OperationDescription, services: SchedulingServices, prepare: Prepare): RequestHandler {
  const { database, now, answers, previews } = services;
  return async (request, response) => {
    const context = createContext(response, description, now(), readReason(request));
    const dryRun = isDryRun(request);
    const impact = readSample(request, dryRun);
    let proposed: Proposed | undefined;
    const keyed = dryRun ? undefined : keyedRequest(request, context);
    const executeIn = await prepare(request, response, context);
    const applyAt = readApplyAt(request);
    const work = async (db: Db): Promise<Result> => {
      const executed = await executeIn(db);
      if (impact) proposed = await previews.propose(db, context.projectID, executed.entries);
      if (dryRun) return dryResult(executed);
      if (keyed) answers.keep(db, keyed, toAnswer(executed.kept));
      return executed.result;
    };
    const schedule = async (time: number): Promise<Result> => {
      const given = { request: toStored(description, request), applyAt: time };
      let result: Result | undefined;
      await scheduleChange(services, given, context, (db, data) => {
        result = { status: 202, body: { message: "Change scheduled successfully.", data } };
        if (keyed) answers.keep(db, keyed, toAnswer(result));
      });
      return result as unknown as Result;
    };
    const executing = applyAt === undefined ? writing(database, work, { dryRun }) : schedule(applyAt);
    const outcome = await executing.then(
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

function readReason({ query }: Request): string | undefined {
  return (query as { reason?: string }).reason;
}

/** When to apply the change. @throws AppError invalid_request if it is a dry run */
function readApplyAt({ query, body }: Request): number | undefined {
  const { applyAt, impact } = query as { applyAt?: number; impact?: number };
  if (applyAt === undefined) return undefined;
  const tried = [...(isDryRun({ query, body }) ? ["dryRun"] : []), ...(impact === undefined ? [] : ["impact"])];
  if (tried.length > 0) throw invalid(tried.map((property) => ({ property, errorMessage: "cannot be combined with applyAt" })));
  return applyAt;
}

/** Query parameters that are no part of the stored request. */
const OF_REQUEST = new Set(["applyAt", "reason", "dryRun", "impact"]);

function toStored({ operationId }: OperationDescription, request: Request): StoredRequest {
  const query = Object.fromEntries(Object.entries(request.query).filter(([name]) => !OF_REQUEST.has(name)));
  const body = withoutDryRun(request.body);
  return { operationId, path: { ...request.params }, query, body, ifMatch: request.get("If-Match") ?? null };
}

/** A few bodies can have `dryRun` too. */
function withoutDryRun(body: unknown): unknown {
  if (typeof body !== "object" || body === null || !("dryRun" in body)) return body ?? null;
  const { dryRun: _, ...rest } = body;
  return rest;
}

/** The users whose impact the request asks for. @throws AppError invalid_request if it is not a dry run */
function readSample({ query, body }: Request, dryRun: boolean): Sample | undefined {
  const { impact: most } = query as { impact?: number };
  const { impactUsers: users } = (body ?? {}) as { impactUsers?: Sample["users"] };
  if (most === undefined && users === undefined) return undefined;
  if (!dryRun) throw invalid([{ property: users ? "impactUsers" : "impact", errorMessage: "needs dryRun=true" }]);
  return users ? { users } : { most: most as number };
}

function keyedRequest(request: Request, { now, ...context }: Context): KeyedRequest | undefined {
  const key = request.get("Idempotency-Key");
  return key === undefined ? undefined : { credentials: context, key, fingerprint: fingerprint(request), now };
}
