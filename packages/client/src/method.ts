import type { IsRepeatable, IsSchedulable, OperationRequest, OperationResult } from "@gatehouse/contract";
import type { Schema } from "@gatehouse/contract/console";

export type Given<Name extends string, Value> = [keyof Value] extends [never]
  ? { [K in Name]?: undefined }
  : Record<never, never> extends Value
    ? { [K in Name]?: Value | undefined }
    : { [K in Name]: Value };

/** The option of operations that declare the header. */
type Repeatable<Operation> = Operation extends { parameters: { header?: { "Idempotency-Key"?: string } } }
  ? {
      /**
       * Identifies this write, with at most 255 printable ASCII characters without spaces. Within 24 hours, writes with the same key happen
       * once, even if another process sends them. By default the client makes one if retries are on.
       */
      idempotencyKey?: string | undefined;
    }
  : { idempotencyKey?: undefined };

export type BodyOf<Body> = [Body] extends [undefined]
  ? { body?: undefined }
  : undefined extends Body
    ? { body?: Body | undefined }
    : { body: Body };

/**
 * The argument of a method: the operation's path and query parameters and body, and options of the request. It depends
 * on an operation's name instead of its type, so that editors show the name.
 */
export type MethodRequest<Operations, Id extends keyof Operations> = Given<"path", OperationRequest<Operations[Id]>["path"]> &
  Given<"query", Omit<OperationRequest<Operations[Id]>["query"], "applyAt" | "repeat" | "repeatUntil">> &
  BodyOf<OperationRequest<Operations[Id]>["body"]> &
  Repeatable<Operations[Id]> & {
    /** The `etag` that was last read. If the entity has another version, the call throws with code precondition_failed. */
    ifMatch?: string | undefined;
    /** Aborts the call, including its retries. */
    signal?: AbortSignal | undefined;
  };

export type MethodResult<Operations, Id extends keyof Operations> = OperationResult<Operations[Id]>["body"] & {
  /** The version of the entity, for `ifMatch`. */
  etag?: string;
  /** The session that began, for the option `session` of a client. Undefined in browsers, which keep it themselves. */
  session?: string;
  /** True if this is the response to an earlier request with the same `idempotencyKey`. */
  isReplayed?: true;
};

/** The time of a scheduled write. */
type Scheduling = {
  query: {
    /** When to apply the change, in milliseconds since the epoch. It must be in the future, and at most a year ahead. */
    applyAt: number;
    dryRun?: undefined;
    impact?: undefined;
  };
};

/** The request of a scheduled write. */
export type ScheduleRequest<Request> = Omit<Request, "query"> &
  ("query" extends keyof Request ? { query: Omit<NonNullable<Request["query"]>, "dryRun" | "impact"> } : unknown) &
  Scheduling;

/** The repetition of a scheduled write, of operations that can repeat. */
export type Repeating<Operation> =
  IsRepeatable<Operation> extends true
    ? {
        query: {
          /** The days of the week on which to apply the change again, in the project's time zone. The day of `applyAt` must be among them. */
          repeat?: Schema<"Weekday">[] | undefined;
          /** When to stop repeating, in milliseconds since the epoch. */
          repeatUntil?: number | undefined;
        };
      }
    : unknown;

/** The scheduled change. */
export type Scheduled = {
  message: string;
  data: Schema<"ScheduledChange">;
  /** The version of the scheduled change, for `ifMatch`. */
  etag?: string;
  /** True if this is the response to an earlier request with the same `idempotencyKey`. */
  isReplayed?: true;
};

/** One method for each operation that can be scheduled. @throws ConsoleApiError if the server responds with an error; ReviewRequiredError if the change needs a review */
export type ScheduleMethods<Operations> = {
  [Id in keyof Operations as IsSchedulable<Operations[Id]> extends true ? Id : never]: (
    request: ScheduleRequest<MethodRequest<Operations, Id>> & Repeating<Operations[Id]>,
  ) => Promise<Scheduled>;
};

/** An operation as a method. @throws ConsoleApiError if the server responds with an error; ReviewRequiredError if the change needs a review */
type Method<Operations, Id extends keyof Operations> =
  Record<never, never> extends MethodRequest<Operations, Id>
    ? (request?: MethodRequest<Operations, Id>) => Promise<MethodResult<Operations, Id>>
    : (request: MethodRequest<Operations, Id>) => Promise<MethodResult<Operations, Id>>;

/** Operations with JSON bodies. Files and streams have no methods. */
type AnsweringJSON<Operations> = {
  [Id in keyof Operations]: OperationResult<Operations[Id]>["body"] extends object ? Id : never;
}[keyof Operations];

/** `Pick` keeps the comments of operations, which editors show for a method. */
export type Methods<Operations> = { [Id in keyof Pick<Operations, AnsweringJSON<Operations>>]: Method<Operations, Id> };
