import type { OperationRequest, OperationResult } from "@gatehouse/contract";

type Given<Name extends string, Value> = [keyof Value] extends [never]
  ? { [K in Name]?: never }
  : Record<never, never> extends Value
    ? { [K in Name]?: Value }
    : { [K in Name]: Value };

/** Only for operations whose contract declares the header. */
type Repeatable<Operation> = Operation extends { parameters: { header?: { "Idempotency-Key"?: string } } }
  ? {
      /**
       * Names this write, at most 255 printable ASCII characters without spaces: within 24 hours the same write under the same key happens once,
       * also when another process sends it. Made by the client where not given and retries are on.
       */
      idempotencyKey?: string;
    }
  : { idempotencyKey?: never };

type BodyOf<Body> = [Body] extends [undefined] ? { body?: never } : undefined extends Body ? { body?: Body } : { body: Body };

/** What a method takes: the operation's path and query parameters and its body, and how to send them. */
type MethodRequest<Operation> = Given<"path", OperationRequest<Operation>["path"]> &
  Given<"query", OperationRequest<Operation>["query"]> &
  BodyOf<OperationRequest<Operation>["body"]> &
  Repeatable<Operation> & {
    /** The `etag` that was last read: the write happens only if the entity is still that version, else it throws with code precondition_failed. */
    ifMatch?: string;
    /** Ends the call, retries included. */
    signal?: AbortSignal;
  };

type MethodResult<Operation> = OperationResult<Operation>["body"] & {
  /** The version of the entity, for `ifMatch`. */
  etag?: string;
  /** True: an earlier request with the same `idempotencyKey` was carried out, and this is its answer. */
  isReplayed?: true;
};

/** An operation as a method. @throws ConsoleApiError when the server answers an error */
export type Method<Operation> =
  Record<never, never> extends MethodRequest<Operation>
    ? (request?: MethodRequest<Operation>) => Promise<MethodResult<Operation>>
    : (request: MethodRequest<Operation>) => Promise<MethodResult<Operation>>;

/** A file or a stream is none for a method: its body is no object. */
type AnsweringJSON<Operations> = {
  [Id in keyof Operations]: OperationResult<Operations[Id]>["body"] extends object ? Id : never;
}[keyof Operations];

export type Methods<Operations> = { [Id in AnsweringJSON<Operations>]: Method<Operations[Id]> };
