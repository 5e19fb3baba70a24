import type { Permission } from "@gatehouse/contract";
import { descriptions, type Schema } from "@gatehouse/contract/console";
import type { Context } from "../../common/context.ts";
import { type AppError, conflict, invalid } from "../../common/errors.ts";
import { randomID } from "../../common/identifier.ts";

export type ScheduledChange = Schema<"ScheduledChange">;

/** A request that is stored, as `getScheduledChange` shows it. */
export type StoredRequest = Pick<ScheduledChange, "operationId" | "path" | "query" | "body" | "ifMatch">;

/** The effect of a request: the entities that it writes, with their versions before, and the changes field by field. */
export type Effect = Pick<ScheduledChange, "entities" | "changes">;

/** The operation that contains others. */
export const BATCH = "batch";

const YEAR_MS = 366 * 24 * 60 * 60 * 1000;

/** @throws AppError invalid_request unless a change can be made at this time, ms since the epoch */
export function requireTime(applyAt: number, now: number): void {
  const fault = faultOf(applyAt, now);
  if (fault !== undefined) throw invalid([{ property: "applyAt", errorMessage: fault }]);
}

function faultOf(applyAt: number, now: number): string | undefined {
  if (applyAt <= now) return "must be in the future";
  return applyAt > now + YEAR_MS ? "must be at most a year ahead" : undefined;
}

type Given = StoredRequest & Effect & { applyAt: number; reviewID?: string };

/** A change that waits for its time. */
export function newScheduledChange(given: Given, { actor, now, reason }: Context): ScheduledChange {
  const { id, name, email } = actor;
  return {
    id: randomID(),
    status: "SCHEDULED",
    ...given,
    reason: reason ?? null,
    author: { id, name, email },
    createdTime: now,
    endedTime: null,
    error: null,
    version: 1,
  };
}

/** The change at another time. @throws AppError conflict, invalid_request */
export function reschedule(change: ScheduledChange, applyAt: number, { now }: Pick<Context, "now">): ScheduledChange {
  requireWaiting(change);
  if (change.reviewID !== undefined)
    throw conflict(`Scheduled change ${change.id} was approved for its time. Cancel it, and request it for another time.`, "applyAt");
  requireTime(applyAt, now);
  return { ...change, applyAt, version: change.version + 1 };
}

/** @throws AppError conflict if it has ended */
export function cancel(change: ScheduledChange, context: Pick<Context, "now">): ScheduledChange {
  requireWaiting(change);
  return ended(change, { status: "CANCELED", error: null }, context);
}

/** The change after it was made. */
export function applied(change: ScheduledChange, context: Pick<Context, "now">): ScheduledChange {
  return ended(change, { status: "APPLIED", error: null }, context);
}

/** The change after it could not be made. */
export function failed(change: ScheduledChange, { code, message }: Pick<AppError, "code" | "message">, context: Pick<Context, "now">) {
  return ended(change, { status: "FAILED", error: { code, message } }, context);
}

function ended(change: ScheduledChange, state: Pick<ScheduledChange, "status" | "error">, { now }: Pick<Context, "now">): ScheduledChange {
  return { ...change, ...state, endedTime: now, version: change.version + 1 };
}

const ENDED = { APPLIED: "was already applied", FAILED: "failed", CANCELED: "was canceled" };

function requireWaiting({ id, status }: ScheduledChange): void {
  if (status !== "SCHEDULED") throw conflict(`Scheduled change ${id} ${ENDED[status]}.`, "status");
}

type Calling = Pick<StoredRequest, "operationId" | "body">;

/** The operations that a request calls, in their order. */
export function operationsOf({ operationId, body }: Calling): string[] {
  return operationId === BATCH ? (body as { requests: Calling[] }).requests.map((one) => one.operationId) : [operationId];
}

/** Whether an operation has a body. */
export function takesBody(operationId: string): boolean {
  return (descriptions as Record<string, { body?: object }>)[operationId]?.body !== undefined;
}

/** The permissions of the operations that a request calls, each once. */
export function permissionsOf(request: Calling): Permission[] {
  return [
    ...new Set(operationsOf(request).map((id) => (descriptions as Record<string, { permission?: string }>)[id]?.permission as Permission)),
  ];
}

/** The name of an entity among all. */
export function entityKey({ entityType, entityID }: { entityType: string; entityID: string }): string {
  return `${entityType} ${entityID}`;
}
