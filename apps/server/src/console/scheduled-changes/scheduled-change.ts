import type { OperationDescription, Permission } from "@gatehouse/contract";
import { descriptions, type Schema } from "@gatehouse/contract/console";
import type { Context } from "../../common/context.ts";
import { type AppError, conflict, invalid } from "../../common/errors.ts";
import { randomID } from "../../common/identifier.ts";
import type { TimeZone } from "../../common/time-zone.ts";
import { atTime, nextOccurrence, type Repetition } from "./repetition.ts";

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

type Given = StoredRequest &
  Effect & { applyAt: number; repeat?: Repetition | undefined } & Pick<ScheduledChange, "reviewID" | "approvedEnvironments">;

/** A change that waits for its time. */
export function newScheduledChange({ repeat, ...given }: Given, { actor, now, reason }: Context): ScheduledChange {
  const { name, email } = actor;
  const id = randomID();
  return {
    id,
    status: "SCHEDULED",
    ...given,
    ...(repeat && { repeat, seriesID: id }),
    reason: reason ?? null,
    author: { id: actor.id, name, email },
    createdTime: now,
    endedTime: null,
    error: null,
    version: 1,
  };
}

/** Errors that no later occurrence would escape. */
const FINAL: ReadonlySet<string | undefined> = new Set<AppError["code"]>(["not_found", "forbidden"]);

/**
 * The occurrence of a repeating change that comes after one that was applied or failed. Undefined if the change does not repeat, or no longer:
 * because its time is over, or its entity or its author's permission is gone.
 */
export function occurrenceAfter(ended: ScheduledChange, { now }: Pick<Context, "now">, timeZone: TimeZone): ScheduledChange | undefined {
  const { applyAt, repeat, error } = ended;
  if (!repeat || FINAL.has(error?.code)) return undefined;
  const next = nextOccurrence({ applyAt, repeat }, now, timeZone);
  return next && { ...ended, ...next, id: randomID(), status: "SCHEDULED", createdTime: now, endedTime: null, error: null, version: 1 };
}

/** The change at another time. If it repeats, its later occurrences move with it. @throws AppError conflict, invalid_request */
export function reschedule(
  change: ScheduledChange,
  applyAt: number,
  { now, timeZone }: Pick<Context, "now"> & { timeZone: TimeZone },
): ScheduledChange {
  requireWaiting(change);
  if (change.reviewID !== undefined)
    throw conflict(`Scheduled change ${change.id} was approved for its time. Cancel it, and request it for another time.`, "applyAt");
  requireTime(applyAt, now);
  const repeat = change.repeat && atTime(change.repeat, applyAt, timeZone);
  return { ...change, applyAt, ...(repeat && { repeat }), version: change.version + 1 };
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

/** @throws AppError invalid_request that names each request of a batch that cannot repeat */
export function requireRepeatable({ operationId, body }: Calling): void {
  if (operationId !== BATCH) return;
  const violations = operationsOf({ operationId, body }).flatMap((id, index) => {
    const { takesApplyAt, takesRepeat, refusedParameters } = (descriptions as Record<string, Repeating>)[id] ?? {};
    if (!takesApplyAt || takesRepeat) return [];
    return [{ property: `requests[${index}].operationId`, errorMessage: `cannot repeat: ${id}. ${refusedParameters?.repeat}` }];
  });
  if (violations.length > 0) throw invalid(violations);
}

type Repeating = Partial<Pick<OperationDescription, "takesApplyAt" | "takesRepeat" | "refusedParameters">>;

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
