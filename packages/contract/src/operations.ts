import type { Readable, Writable } from "./documented.ts";

export {
  type Access,
  type BodyDescription,
  type OperationDescription,
  type ParameterDescription,
  type Permission,
  type PermissionDescription,
  type Place,
  type Scope,
  valueAt,
} from "./descriptions.ts";
export type { Readable, Writable };

/** The statuses of success. 204 and 303 have no body. */
type SuccessStatus = 200 | 201 | 202 | 204 | 303;

type Content<T> = T extends { content: { "application/json": infer Body } }
  ? Body
  : T extends { content: { "application/scim+json": infer Body } }
    ? Body
    : undefined;

type None = Record<never, never>;

type Parameters<Operation, In extends string> = Operation extends { parameters: { [K in In]?: infer Given } }
  ? [NonNullable<Given>] extends [never]
    ? None
    : NonNullable<Given>
  : None;

type RequestBody<Operation> = Operation extends { requestBody: infer Body }
  ? Writable<Content<Body>>
  : Operation extends { requestBody?: infer Body }
    ? Writable<Content<NonNullable<Body>>> | undefined
    : undefined;

/** The request of an operation: exactly the parameters and the body that the contract declares. */
export type OperationRequest<Operation> = {
  path: Parameters<Operation, "path">;
  query: Parameters<Operation, "query">;
  body: RequestBody<Operation>;
};

/** Whether an operation can be scheduled. */
export type IsSchedulable<Operation> = Operation extends { parameters: { query?: infer Query } }
  ? "applyAt" extends keyof NonNullable<Query>
    ? true
    : false
  : false;

/** Whether an operation can be scheduled to repeat. */
export type IsRepeatable<Operation> = Operation extends { parameters: { query?: infer Query } }
  ? "repeat" extends keyof NonNullable<Query>
    ? true
    : false
  : false;

/** Whether the server answers a status for the operation: that it is scheduled. */
type IsOfServer<Operation, Status> = Status extends 202 ? IsSchedulable<Operation> : false;

/** The result of an operation: one of its declared success statuses, with that status's body. */
export type OperationResult<Operation> = Operation extends { responses: infer Responses }
  ? {
      [Status in keyof Responses & SuccessStatus]: IsOfServer<Operation, Status> extends true
        ? never
        : {
            status: Status;
            body: Readable<Content<Responses[Status]>>;
          };
    }[keyof Responses & SuccessStatus]
  : never;

/** `Env` is added to every request by the server: context and stores. */
export type Handler<Operation, Env> = (request: OperationRequest<Operation> & Env) => Promise<OperationResult<Operation>>;

/** A handler for every operation of an API. A missing or misspelt handler is a type error, and so is an undeclared result. */
export type Handlers<Operations, Env> = {
  [Id in keyof Operations]: Handler<Operations[Id], Env>;
};

/** A row of the route table: the part of an operation's description that clients need. */
export type Route = {
  method: "get" | "post" | "put" | "patch" | "delete";
  path: string;
  /** Whether writes with the same `Idempotency-Key` happen once. */
  takesIdempotencyKey?: true;
  /** Whether a batch can contain it. */
  isBatchable?: true;
  /** Whether it can be scheduled. */
  takesApplyAt?: true;
  /** Whether a scheduled request can repeat. */
  takesRepeat?: true;
  /** Whether it responds with a file or a stream instead of JSON. */
  answersText?: true;
  /** Whether each request asks a model, which costs money. */
  asksModel?: true;
};
