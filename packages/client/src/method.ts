import type { OperationRequest, OperationResult } from "@gatehouse/contract";

export type Given<Name extends string, Value> = [keyof Value] extends [never]
  ? { [K in Name]?: never }
  : Record<never, never> extends Value
    ? { [K in Name]?: Value }
    : { [K in Name]: Value };

/** The option of operations that declare the header. */
type Repeatable<Operation> = Operation extends { parameters: { header?: { "Idempotency-Key"?: string } } }
  ? {
      /**
       * Identifies this write, with at most 255 printable ASCII characters without spaces. Within 24 hours, writes with the same key happen
       * once, even if another process sends them. By default the client makes one if retries are on.
       */
      idempotencyKey?: string;
    }
  : { idempotencyKey?: never };

export type BodyOf<Body> = [Body] extends [undefined] ? { body?: never } : undefined extends Body ? { body?: Body } : { body: Body };

/** The argument of a method: the operation's path and query parameters and body, and options of the request. */
type MethodRequest<Operation> = Given<"path", OperationRequest<Operation>["path"]> &
  Given<"query", OperationRequest<Operation>["query"]> &
  BodyOf<OperationRequest<Operation>["body"]> &
  Repeatable<Operation> & {
    /** The `etag` that was last read. If the entity has another version, the call throws with code precondition_failed. */
    ifMatch?: string;
    /** Aborts the call, including its retries. */
    signal?: AbortSignal;
  };

type MethodResult<Operation> = OperationResult<Operation>["body"] & {
  /** The version of the entity, for `ifMatch`. */
  etag?: string;
  /** The session that began, for the option `session` of a client. Undefined in browsers, which keep it themselves. */
  session?: string;
  /** True if this is the response to an earlier request with the same `idempotencyKey`. */
  isReplayed?: true;
};

/** An operation as a method. @throws ConsoleApiError if the server responds with an error */
export type Method<Operation> =
  Record<never, never> extends MethodRequest<Operation>
    ? (request?: MethodRequest<Operation>) => Promise<MethodResult<Operation>>
    : (request: MethodRequest<Operation>) => Promise<MethodResult<Operation>>;

/** Operations with JSON bodies. Files and streams have no methods. */
type AnsweringJSON<Operations> = {
  [Id in keyof Operations]: OperationResult<Operations[Id]>["body"] extends object ? Id : never;
}[keyof Operations];

export type Methods<Operations> = { [Id in AnsweringJSON<Operations>]: Method<Operations[Id]> };
