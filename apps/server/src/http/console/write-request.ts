import type { OperationDescription } from "@gatehouse/contract";
import type { Request } from "express";
import type { StoredRequest } from "../../changes/executor.ts";
import { ASKED_BY_AUTHOR } from "../../changes/requirements.ts";
import type { Asked, Schedule } from "../../changes/store-change.ts";
import type { Context, Credentials } from "../../common/context.ts";
import { invalid } from "../../common/errors.ts";
import { requirePermissions, skipsReviews } from "../../common/permissions.ts";
import type { Sample } from "../../console/previews.ts";
import type { KeyedRequest } from "../../store/requests/idempotency.ts";
import { fingerprint } from "../common/body.ts";
import { isDryRun } from "./execute.ts";

/** Why the caller makes the change. @param bypass whether it is made without its review */
export function readReason({ query }: Request, bypass: boolean): string | undefined {
  const { reason } = query as { reason?: string };
  return bypass ? `Without a review: ${reason}` : reason;
}

/** Whether to make the change without its review. @throws AppError invalid_request, forbidden */
export function readBypass({ query }: Request, caller: Credentials): boolean {
  const { bypassReview = false, reason, applyAt } = query as { bypassReview?: boolean; reason?: string; applyAt?: number };
  if (!bypassReview) return false;
  if (applyAt !== undefined) throw invalid([{ property: "bypassReview", errorMessage: "cannot be combined with applyAt" }]);
  if (reason === undefined) throw invalid([{ property: "bypassReview", errorMessage: "needs a reason" }]);
  if (!skipsReviews(caller.scopes)) requirePermissions(caller, ["bypass_reviews"]);
  return true;
}

/** The review that the request itself asks for. @param bypass whether it is made without one @throws AppError invalid_request */
export function readAsked({ query }: Request, bypass: boolean): Asked {
  const { requestReview = false, reviewers = [] } = query as { requestReview?: boolean; reviewers?: string[] };
  if (requestReview && bypass) throw invalid([{ property: "requestReview", errorMessage: "cannot be combined with bypassReview" }]);
  if (reviewers.length > 0 && !requestReview) throw invalid([{ property: "reviewers", errorMessage: "needs requestReview=true" }]);
  return { requirements: requestReview ? [ASKED_BY_AUTHOR] : [], reviewers };
}

/** When to apply the change, and how to repeat it. @throws AppError invalid_request if it is a dry run, or repeats without a time */
export function readSchedule({ query, body }: Request): Schedule | undefined {
  const { applyAt, repeat, repeatUntil, impact } = query as Partial<Schedule> & { impact?: number };
  const violations = [
    ...(repeat !== undefined && applyAt === undefined ? [{ property: "repeat", errorMessage: "needs applyAt" }] : []),
    ...(repeatUntil !== undefined && repeat === undefined ? [{ property: "repeatUntil", errorMessage: "needs repeat" }] : []),
  ];
  if (violations.length > 0) throw invalid(violations);
  if (applyAt === undefined) return undefined;
  const tried = [...(isDryRun({ query, body }) ? ["dryRun"] : []), ...(impact === undefined ? [] : ["impact"])];
  if (tried.length > 0) throw invalid(tried.map((property) => ({ property, errorMessage: "cannot be combined with applyAt" })));
  return { applyAt, repeat, repeatUntil };
}

/** Query parameters that the stored request leaves out. */
const OF_REQUEST = new Set([
  "applyAt",
  "repeat",
  "repeatUntil",
  "reason",
  "dryRun",
  "impact",
  "bypassReview",
  "requestReview",
  "reviewers",
]);

export function toStored({ operationId }: OperationDescription, request: Request): StoredRequest {
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
export function readSample({ query, body }: Request, dryRun: boolean): Sample | undefined {
  const { impact: most } = query as { impact?: number };
  const { impactUsers: users } = (body ?? {}) as { impactUsers?: Sample["users"] };
  if (most === undefined && users === undefined) return undefined;
  if (!dryRun) throw invalid([{ property: users ? "impactUsers" : "impact", errorMessage: "needs dryRun=true" }]);
  return users ? { users } : { most: most as number };
}

export function keyedRequest(request: Request, { now, ...context }: Context): KeyedRequest | undefined {
  const key = request.get("Idempotency-Key");
  return key === undefined ? undefined : { credentials: context, key, fingerprint: fingerprint(request), now };
}
