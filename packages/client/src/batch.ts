import type { OperationRequest, OperationResult } from "@gatehouse/contract";
import type { operations, routes, Schema } from "@gatehouse/contract/console";
import type { BodyOf, Given, MethodRequest, MethodResult, Repeating, Scheduled, ScheduleRequest } from "./method.ts";

type Routes = typeof routes;

/** The operations that a batch can contain. */
export type BatchableId = { [Id in keyof Routes]: Routes[Id] extends { isBatchable: true } ? Id : never }[keyof Routes];

type Query<Operation> = Omit<OperationRequest<Operation>["query"], OfBatch>;

/** Query parameters of the batch as a whole. */
type OfBatch = "dryRun" | "impact" | "reason" | "applyAt" | "repeat" | "repeatUntil" | "bypassReview" | "requestReview" | "reviewers";

/** A condition that only some operations take. In a batch, others refuse it. */
type IfMatch<Operation> = Operation extends { parameters: { header?: { "If-Match"?: string } } }
  ? {
      /** The `etag` that was last read. If the entity has another version when the request is executed, the batch fails. */
      ifMatch?: string | undefined;
    }
  : { ifMatch?: undefined };

type RequestOf<Id extends BatchableId> = { operationId: Id } & Given<"path", OperationRequest<operations[Id]>["path"]> &
  Given<"query", Query<operations[Id]>> &
  BodyOf<OperationRequest<operations[Id]>["body"]> &
  IfMatch<operations[Id]>;

/** A request of a batch: the name of an operation, and its method's arguments. */
export type BatchRequest<Id extends BatchableId = BatchableId> = { [Each in Id]: RequestOf<Each> }[Id];

/** The answer to a request of a batch. */
export type BatchItem<Id extends BatchableId = BatchableId> = {
  [Each in Id]: OperationResult<operations[Each]> & {
    /** The version of the entity, for `ifMatch`. Absent in a dry run. */
    etag?: string;
  };
}[Id];

type ItemOf<Request> = Request extends { operationId: infer Id extends BatchableId } ? BatchItem<Id> : never;

type Options = Pick<MethodRequest<operations, "batch">, "query" | "idempotencyKey" | "signal">;

type BatchResult<Requests> = Omit<MethodResult<operations, "batch">, "data" | "etag" | "session"> & {
  /** The answers, in the order of the requests. */
  data: { -readonly [Index in keyof Requests]: ItemOf<Requests[Index]> };
};

/**
 * Executes up to 500 requests in their order, in one transaction: all of them, or none.
 * @throws ConsoleApiError of the first request that fails, with its `index`
 */
export type BatchMethod = <Requests extends readonly BatchRequest[] | []>(
  request: { requests: Requests; impactUsers?: Schema<"PreviewUser">[] } & Options,
) => Promise<BatchResult<Requests>>;

/** Schedules up to 500 requests, which are applied together, or not at all. */
export type ScheduleBatch = (
  request: { requests: readonly BatchRequest[] } & ScheduleRequest<Options> & Repeating<operations["batch"]>,
) => Promise<Scheduled>;
