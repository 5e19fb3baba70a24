import type { OperationDescription } from "@gatehouse/contract";
import type { Request, RequestHandler, Response } from "express";
import { type Context, INSTANCE_PROJECT, type PermittedContext } from "../../context.ts";
import { AppError, invalid } from "../../errors.ts";
import { EVERY_PERMISSION } from "../../permissions.ts";
import type { Proposed } from "../../previews.ts";
import { type ChangeLog, createChangeLog } from "../../store/change-log.ts";
import type { Database } from "../../store/database.ts";
import { entityChanges } from "../../store/entity-changes.ts";
import { entityTag, namesTagWeakly } from "../../store/entity-tag.ts";
import { type Answer, findAnswer, type KeptAnswers, type KeyedRequest } from "../../store/idempotency.ts";
import type { Addressed, Precondition } from "../../store/precondition.ts";
import { type Db, reading, writing } from "../../store/unit-of-work.ts";
import { createStores, type SchemaEnv } from "../../stores.ts";
import type { Callers } from "../common/callers.ts";
import { credentialsOf } from "./authenticate.ts";
import { fingerprint } from "./body.ts";
import { originOf } from "./observe.ts";
import { bodyText, sendText } from "./send-json.ts";
import { withNullAt } from "./shown-once.ts";

type Result = { status: number; body: { data?: unknown; changes?: unknown; impact?: unknown } };
/** How a write ended: executed, or replayed with the response to an earlier request with its Idempotency-Key. */
type Outcome = { kind: "executed"; result: Result } | { kind: "replayed"; answer: Answer };
export type AnyHandler = (request: { path: unknown; query: unknown; body: unknown } & SchemaEnv) => Promise<Result>;
export type ConsoleOperation = OperationDescription & { handler: AnyHandler; guarded: Addressed | undefined };
export type ConsoleServices = Pick<SchemaEnv, "checkSchema" | "previews"> & {
  database: Database;
  now: () => number;
  answers: KeptAnswers;
  callers: Callers;
};

/** Serves a read, or 304 if If-None-Match matches the current version. */
export function serveRead(operation: ConsoleOperation, services: ConsoleServices): RequestHandler {
  const { database, now } = services;
  return async (request, response) => {
    const context = contextOf(response, operation, now());
    const { status, body } = await reading(database, (db) => {
      return run(operation, request, { context, db, log: createChangeLog(db, context) }, services);
    });
    const etag = tagOf(body);
    if (etag !== null) response.set("ETag", etag);
    const held = request.get("If-None-Match");
    if (etag !== null && held !== undefined && namesTagWeakly(held, etag)) response.status(304).end();
    else response.status(status).json(body);
  };
}

/** Whether an entity exists, by the operation that reads it. */
export function exists(operation: ConsoleOperation, path: object, response: Response, services: ConsoleServices): Promise<boolean> {
  const { database, now, checkSchema, previews } = services;
  const context = contextOf(response, operation, now());
  return reading(database, async (db) => {
    const stores = createStores({ db, log: createChangeLog(db, context), context });
    return operation.handler({ path, query: {}, body: undefined, context, stores, checkSchema, previews, origin: "" }).then(
      () => true,
      (error: unknown) => {
        if (error instanceof AppError && error.code === "not_found") return false;
        throw error;
      },
    );
  });
}

/**
 * Executes a write in one transaction, with its change log. With an Idempotency-Key the response is stored in the same transaction. That
 * fails if the key was used before, or if the write cannot happen twice: then the stored response is sent.
 */
export function serveWrite(operation: ConsoleOperation, services: ConsoleServices): RequestHandler {
  const { database, now, answers, previews } = services;
  return async (request, response) => {
    const context = contextOf(response, operation, now());
    const dryRun = isDryRun(request);
    const users = impactOf(request, dryRun);
    let proposed: Proposed | undefined;
    const keyed = dryRun ? undefined : keyedRequest(request, context);
    const work = async (db: Db): Promise<Result> => {
      const log = createChangeLog(db, context, precondition(request, operation));
      const result = await run(operation, request, { context, db, log }, services);
      log.requireGuarded();
      const shownLater = withoutSecret(result, operation);
      if (users !== undefined) proposed = await previews.propose(db, context.projectID, log.entries);
      if (dryRun) return { ...shownLater, body: { ...shownLater.body, changes: entityChanges(log.entries) } };
      if (keyed) answers.keep(db, keyed, toAnswer(shownLater));
      return result;
    };
    const outcome = await writing(database, work, { dryRun }).then(
      (result): Outcome => ({ kind: "executed", result }),
      async (error: unknown): Promise<Outcome> => {
        const answer = keyed && (await findKept(database, keyed, error));
        if (!answer) throw error;
        return { kind: "replayed", answer };
      },
    );
    if (outcome.kind === "replayed") return sendReplay(response, outcome.answer);
    const { status, body } = outcome.result;
    if (users !== undefined) body.impact = await proposed?.(users);
    // The version of a dry run has no ETag, since another write may get its number.
    const etag = dryRun ? null : tagOf(body);
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

/** The response as it is stored and replayed: a value that is shown once is null. */
function withoutSecret(result: Result, { shownOnce }: ConsoleOperation): Result {
  return shownOnce ? { ...result, body: shownOnce.reduce(withNullAt, result.body) } : result;
}

function toAnswer({ status, body }: Result): Answer {
  return { status, etag: tagOf(body), body: bodyText(body) };
}

type UnitOfWork = { context: PermittedContext; db: Db; log: ChangeLog };

function run(
  { handler }: ConsoleOperation,
  request: Request,
  work: UnitOfWork,
  { checkSchema, previews, callers }: ConsoleServices,
): Promise<Result> {
  const { params: path, query, body } = request;
  const origin = callers.originOf(request);
  return handler({ path, query, body, context: work.context, stores: createStores(work), checkSchema, previews, origin });
}

/** The context of a request. Operations of the administrators are of no project but the instance's. */
export function contextOf(response: Response, { operationId: operationID, permission }: ConsoleOperation, now: number): PermittedContext {
  const { actor, projectID, permissions, grantedBy, limits } = credentialsOf(response);
  const context = { actor, operationID, now, origin: originOf(response) };
  if (permission !== "administrator") return { ...context, projectID, permissions, grantedBy, limits };
  const principal = { permissions: EVERY_PERMISSION, grantedBy: "the administration of the instance", limits: null };
  return { ...context, projectID: INSTANCE_PROJECT, ...principal };
}

/** Each attempt of the transaction needs a new one. */
function precondition(request: Request, { guarded }: ConsoleOperation): Precondition | undefined {
  const ifMatch = request.get("If-Match");
  if (ifMatch === undefined || !guarded) return undefined;
  const { type, parameter } = guarded;
  return { ifMatch, type, id: parameter && (request.params[parameter] as string), met: false };
}

function isDryRun({ query, body }: Request): boolean {
  return (query as { dryRun?: unknown }).dryRun === true || body?.dryRun === true;
}

/** For how many users the request asks what it would change. @throws AppError invalid_request if it is no dry run */
function impactOf({ query }: Request, dryRun: boolean): number | undefined {
  const { impact } = query as { impact?: number };
  if (impact === undefined || dryRun) return impact;
  throw invalid([{ property: "impact", errorMessage: "needs dryRun=true" }]);
}

function keyedRequest(request: Request, { now, ...context }: Context): KeyedRequest | undefined {
  const key = request.get("Idempotency-Key");
  return key === undefined ? undefined : { credentials: context, key, fingerprint: fingerprint(request), now };
}

/** The ETag of a response whose data is one version of an entity. */
function tagOf({ data }: Result["body"]): string | null {
  return isVersioned(data) ? entityTag(data) : null;
}

function isVersioned(data: unknown): data is { version: number; createdTime?: number } {
  return typeof data === "object" && data !== null && "version" in data && typeof data.version === "number";
}
