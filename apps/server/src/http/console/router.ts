import type { BodyDescription, OperationDescription } from "@gatehouse/contract";
import { type RequestHandler, Router } from "express";
import type { Logger } from "pino";
import type { Executor } from "../../changes/executor.ts";
import type { Credentials, Provisioning } from "../../common/context.ts";
import type { RepeatedEvents } from "../../store/change-log/repeated-events.ts";
import { analysingOnStandby } from "../../store/database/read-replica.ts";
import { createKeptAnswers } from "../../store/requests/idempotency.ts";
import type { Addressed } from "../../store/requests/precondition.ts";
import type { WriteLimiter } from "../../store/requests/write-limiter.ts";
import { readBody, requireUnannounced } from "../common/body.ts";
import type { Document } from "../common/document.ts";
import type { LargeBodies } from "../common/large-bodies.ts";
import { checkAgainst, createResponseCheck, type OnViolation, type ResponseCheck } from "../common/response-check.ts";
import { bySpecificity, type Compilation, requireMethod } from "../common/routes.ts";
import { createOperationAnalyses } from "./analyses.ts";
import { requireAccess } from "./authenticate.ts";
import type { ChangeStreams } from "./change-streams.ts";
import type { AnyHandler, ConsoleOperation, ConsoleServices, Result } from "./execute.ts";
import { createExecutor } from "./executor.ts";
import { limitWrites } from "./limit-writes.ts";
import { noteRefusal } from "./note-refusal.ts";
import { requireToolScope } from "./require-tool-scope.ts";
import { type AccountHandler, type AccountServices, serveAccount } from "./serve-account.ts";
import { serveApplication } from "./serve-application.ts";
import { serveBatch } from "./serve-batch.ts";
import { serveChanges } from "./serve-changes.ts";
import { serveEvaluation } from "./serve-evaluation.ts";
import { type FileStream, serveFile } from "./serve-file.ts";
import { type LineStream, serveLines } from "./serve-lines.ts";
import { serveRead, serveWrite } from "./serve-operation.ts";
import { serveCommit, serveReview, serveRevision } from "./serve-review.ts";
import { createRequestValidator, type RequestValidator } from "./validator.ts";

/** An API of the contract, and a handler for each of its operations. */
export type Api = {
  prefix: string;
  document: Document;
  descriptions: Record<string, OperationDescription>;
  handlers: object;
  /** The handlers of the operations whose permission is `none` or `session`. */
  accountHandlers: object;
  /** The entity that a path addresses, with which If-Match is compared. */
  addressedBy(path: string): Addressed | undefined;
};

type RouterServices = Omit<ConsoleServices, "answers" | "analyses"> &
  AccountServices & {
    largeBodies: LargeBodies;
    /** If undefined, writes have no limit. */
    writeLimiter: WriteLimiter | undefined;
    /** Settings of identity providers that limit writes. */
    provisioning: Provisioning | undefined;
    log: Logger;
    repeatedEvents: RepeatedEvents;
    changeStreams: ChangeStreams;
    /** The stream of JSON lines that an operation can answer instead, by operationId. */
    lineStreams: Record<string, LineStream>;
    /** The files that operations answer, by operationId. */
    fileStreams: Record<string, FileStream>;
    /** If undefined, a request whose response violates the contract fails. */
    onViolation: OnViolation | undefined;
  };

/** A router, the steps that compile its validators before the first requests, and what executes stored requests. */
export type ContractRouter = { router: Router; compilations: Compilation[]; executor: Executor };

/**
 * Serves every operation of an API. This is the only cast of handlers. The preceding check guarantees that path, query and body are as the
 * contract declares, and `Handlers` guarantees that each operation has a handler.
 */
export function createRouter(api: Api, given: RouterServices): ContractRouter {
  const { document, descriptions, handlers, accountHandlers, addressedBy } = api;
  const executing = {
    ...given,
    answers: createKeptAnswers(),
    analyses: createOperationAnalyses({ analyse: analysingOnStandby(given.database) }),
  };
  const router = Router({ caseSensitive: true });
  const compilations: Compilation[] = [];
  const validator = createRequestValidator(api);
  const { writeLimiter } = given;
  const checks = new Map(Object.values(descriptions).map((one) => [one.operationId, createResponseCheck(document, one)]));
  const checkAnswer = (operationID: string, { status, body }: Result) =>
    checkAgainst(checks.get(operationID) as ResponseCheck, { status, body, operationID }, given.onViolation);
  const operations: ConsoleOperation[] = Object.values(descriptions).map((description) => ({
    ...description,
    handler: (handlers as Record<string, AnyHandler>)[description.operationId] as AnyHandler,
    guarded: description.takesIfMatch ? addressedBy(description.path) : undefined,
  }));
  const executor = createExecutor({ operations, validator, checkAnswer }, executing);
  const services = { ...executing, executor };
  const createHandler = (operation: ConsoleOperation): RequestHandler => {
    const ofAccount = (accountHandlers as Record<string, AccountHandler>)[operation.operationId];
    const isOfAccount = operation.permission === "none" || operation.permission === "session";
    if (isOfAccount !== (ofAccount !== undefined)) throw new Error(`${operation.operationId} has a handler for other permissions.`);
    if (ofAccount) return serveAccount(ofAccount, services);
    const parts = { operations, validator, writeLimiter, checkAnswer };
    if (operation.operationId === "applyProject") return serveApplication(operation, parts, services);
    if (operation.permission === "contained") return serveBatch(operation, parts, services);
    if (operation.operationId === "commitReview") return serveCommit(operation, services);
    if (operation.operationId === "getReview") return serveReview(operation, services);
    if (operation.operationId === "updateReview") return serveRevision(operation, services);
    if (operation.operationId === "evaluateUsers") return serveEvaluation(operation, parts, services);
    if (operation.operationId === "streamChanges") return serveChanges(services.changeStreams);
    const file = given.fileStreams[operation.operationId];
    if (operation.answersJSON === (file !== undefined)) throw new Error(`${operation.operationId} and its file do not match.`);
    if (file) return serveFile(operation, file, services);
    const stream = given.lineStreams[operation.operationId];
    if (operation.answersLines !== (stream !== undefined))
      throw new Error(`${operation.operationId} and its stream of lines do not match.`);
    const serveJson = (operation.isWrite ? serveWrite : serveRead)(operation, services);
    return stream ? serveLines(operation, stream, serveJson, services) : serveJson;
  };
  const limits = writeLimiter ? [limitWrites(writeLimiter)] : [];
  for (const path of [...new Set(operations.map((one) => one.path))].sort(bySpecificity)) {
    const routePath = path.replaceAll(/\{(\w+)\}/g, ":$1");
    const route = router.route(routePath);
    const atPath = operations.filter((one) => one.path === path);
    route.all(requireMethod(atPath.map(({ method }) => method.toUpperCase())));
    for (const operation of atPath) {
      const { operationId, method, isWrite, body, statuses, permission } = operation;
      if (permission === undefined) throw new Error(`The contract does not say what permission ${operationId} needs.`);
      const check = checks.get(operationId) as ResponseCheck;
      compilations.push(() => validator.compile(routePath, method.toUpperCase(), body !== undefined));
      for (const status of statuses) compilations.push(() => check.compile(status));
      const serveChecked = checked(createHandler(operation), { body, validator }, services);
      const begun = begin(operation, check, services);
      const access = requireAccess(permission, operation, services.secondFactors);
      const toolAccess = requireToolScope(operation);
      if (isWrite) route[method](begun, access, toolAccess, ...limits, serveChecked, noteRefusal(operationId, services));
      else route[method](begun, access, toolAccess, serveChecked);
    }
  }
  return { router, compilations, executor };
}

/** Sets the operation for the log and the metrics, and checks the response. */
function begin(
  { operationId: operationID, answersPages }: ConsoleOperation,
  check: ResponseCheck,
  { onViolation, provisioning }: Pick<RouterServices, "onViolation" | "provisioning">,
): RequestHandler {
  return (_request, response, next) => {
    response.locals.provisioning = provisioning;
    response.locals.operationID = operationID;
    response.locals.answersPages = answersPages;
    const send = response.json;
    response.json = function sendChecked(body) {
      checkAgainst(check, { status: response.statusCode, body, operationID }, onViolation);
      return send.call(this, body);
    };
    next();
  };
}

type Checks = { body: BodyDescription | undefined; validator: RequestValidator };

/** Reads and checks the request before it is served. An operation without a body ignores one that is sent. */
function checked(serve: RequestHandler, { body, validator }: Checks, { largeBodies }: RouterServices): RequestHandler {
  return async (request, response, next) => {
    const turn = largeBodies.turn((response.locals.credentials as Credentials | undefined)?.projectID ?? "");
    try {
      request.body = body && (await readBody(request, body, turn));
      if (body?.refusesEmpty && request.body === undefined) requireUnannounced(request);
      // The validator caches compiled schemas by content type, so all requests use the same one.
      if (body) request.headers["content-type"] = "application/json";
      else delete request.headers["content-type"];
      await validator.check(request, response);
      // From here on the write may wait, for example for a lock, without blocking other large bodies.
      turn.pass();
      await serve(request, response, next);
    } finally {
      turn.end();
    }
  };
}
