import type { OperationDescription } from "@gatehouse/contract";
import type { Request, Response } from "express";
import type { Requirement } from "../../changes/requirements.ts";
import { INSTANCE_PROJECT, type PermittedContext, type Provisioning } from "../../common/context.ts";
import { EVERY_PERMISSION, skipsReviews } from "../../common/permissions.ts";
import type { SessionLimits } from "../../common/session-limits.ts";
import type { Previews } from "../../console/previews.ts";
import { createStores, type SchemaEnv } from "../../console/stores.ts";
import { type ChangeLog, createChangeLog, type Entry } from "../../store/change-log/change-log.ts";
import type { Database } from "../../store/database/database.ts";
import type { Db } from "../../store/database/unit-of-work.ts";
import { entityChanges } from "../../store/entities/entity-changes.ts";
import { entityTag } from "../../store/requests/entity-tag.ts";
import type { KeptAnswers } from "../../store/requests/idempotency.ts";
import type { Addressed, Precondition } from "../../store/requests/precondition.ts";
import type { Callers } from "../common/callers.ts";
import { getOrigin } from "../common/observe.ts";
import { type Analyses, NO_ANALYSES, type OperationAnalyses } from "./analyses.ts";
import { getCredentials } from "./authenticate.ts";
import { withNullAt } from "./shown-once.ts";

export type Result = { status: number; body: { message?: unknown; data?: unknown; changes?: unknown; impact?: unknown; review?: unknown } };
export type AnyHandler = (request: { path: unknown; query: unknown; body: unknown } & SchemaEnv) => Promise<Result>;
export type ConsoleOperation = OperationDescription & { handler: AnyHandler; guarded: Addressed | undefined };
type CheckSchema = SchemaEnv["checkSchema"];
export type ConsoleServices = {
  /** Checks of projects have turns. */
  checkSchema(projectID: string, ...given: Parameters<CheckSchema>): ReturnType<CheckSchema>;
  previews: Previews;
  analyses: OperationAnalyses;
  database: Database;
  now: () => number;
  answers: KeptAnswers;
  callers: Callers;
  sessionLimits: SessionLimits;
};

/** A request that was checked against the contract. */
export type CheckedRequest = {
  path: Record<string, unknown>;
  query: unknown;
  body: unknown;
  ifMatch: string | undefined;
  /** The URL at which the caller reached the server, with its base path. */
  baseUrl: string;
};

/** The outcome of a write in its transaction. */
export type Executed = {
  result: Result;
  /** The result as it is stored, replayed and shown in dry runs: values that are shown once are null. */
  kept: Result;
  entries: readonly Entry[];
  /** Whether a review has approved the writes. */
  isReviewed?: boolean;
};

export function checkedRequest(request: Request, { callers }: ConsoleServices): CheckedRequest {
  const { params: path, query, body } = request;
  return { path, query, body, ifMatch: request.get("If-Match"), baseUrl: callers.resolveBaseUrl(request) };
}

type Work = { context: PermittedContext; db: Db };

/** Executes a write in a transaction. Each attempt of the transaction calls it again. */
export async function execute(
  operation: ConsoleOperation,
  request: CheckedRequest,
  { context, db, condition = precondition(request, operation) }: Work & { condition?: Precondition | undefined },
  services: ConsoleServices,
): Promise<Executed> {
  const log = createChangeLog(db, context, condition);
  const result = await run(operation, request, { context, db, log, ...NO_ANALYSES }, services);
  log.requireGuarded();
  return { result, kept: withoutSecret(result, operation), entries: log.entries };
}

/** The result of a dry run. @param requirements why the request needs a review */
export function dryResult({ kept, entries }: Executed, requirements?: readonly Requirement[]): Result {
  return { ...kept, body: { ...kept.body, changes: entityChanges(entries), ...(requirements && { requirements }) } };
}

export function run(
  { handler }: ConsoleOperation,
  { path, query, body, baseUrl }: CheckedRequest,
  work: Work & { log: ChangeLog } & ReturnType<Analyses["of"]>,
  { checkSchema, sessionLimits, previews }: ConsoleServices,
): Promise<Result> {
  const { context, analyse, limited } = work;
  const check: CheckSchema = (...given) => checkSchema(context.projectID, ...given);
  const evaluatedProject = () => previews.project(context.projectID);
  const env = { context, stores: createStores(work), analyse, limited, evaluatedProject, checkSchema: check, sessionLimits, baseUrl };
  return handler({ path, query, body, ...env });
}

/** The context of a request. Operations of the administrators are of no project but the instance's. */
export function createContext(
  response: Response,
  { operationId: operationID, permission }: OperationDescription,
  now: number,
  reason?: string,
): PermittedContext {
  const { actor, projectID, permissions, grantedBy, limits, publishing, administersInstance, scopes } = getCredentials(response);
  const provisioning: Provisioning | undefined = response.locals.provisioning;
  const context = { actor, operationID, now, origin: getOrigin(response), provisioning, reason, skipsReviews: skipsReviews(scopes) };
  if (permission !== "administrator") return { projectID, permissions, grantedBy, limits, publishing, administersInstance, ...context };
  const principal = { permissions: EVERY_PERMISSION, grantedBy: "the administration of the instance", limits: null, publishing: null };
  return { projectID: INSTANCE_PROJECT, administersInstance, ...principal, ...context };
}

/** The If-Match of a request. Each attempt of the transaction needs a new one. */
export function precondition(
  { path, ifMatch }: Pick<CheckedRequest, "path" | "ifMatch">,
  { guarded }: ConsoleOperation,
): Precondition | undefined {
  if (ifMatch === undefined || !guarded) return undefined;
  const { type, parameter } = guarded;
  return { ifMatch, type, id: parameter && (path[parameter] as string), met: false };
}

/** The result without the values that are shown once. */
function withoutSecret(result: Result, { shownOnce }: ConsoleOperation): Result {
  return shownOnce ? { ...result, body: shownOnce.reduce(withNullAt, result.body) } : result;
}

/** Whether a request asks for a dry run. */
export function isDryRun({ query, body }: Pick<CheckedRequest, "query" | "body">): boolean {
  return (query as { dryRun?: unknown }).dryRun === true || (body as { dryRun?: unknown } | null | undefined)?.dryRun === true;
}

/** The ETag of a response whose data is one version of an entity. */
export function toEtag({ data }: Result["body"]): string | null {
  return isVersioned(data) ? entityTag(data) : null;
}

function isVersioned(data: unknown): data is { version: number; createdTime?: number } {
  return typeof data === "object" && data !== null && "version" in data && typeof data.version === "number";
}
