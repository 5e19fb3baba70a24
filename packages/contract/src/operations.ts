import type { Readable, Writable } from "openapi-typescript-helpers";

export {
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

/** The statuses with which an operation can succeed and answer a JSON body. */
type SuccessStatus = 200 | 201 | 202;

type Content<T> = T extends { content: { "application/json": infer Body } } ? Body : undefined;

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

/** What an operation receives: exactly the parameters and the body that the contract declares for it. */
export type OperationRequest<Operation> = {
  path: Parameters<Operation, "path">;
  query: Parameters<Operation, "query">;
  body: RequestBody<Operation>;
};

/** What an operation answers: one of its declared success statuses, with that status's body. */
export type OperationResult<Operation> = Operation extends { responses: infer Responses }
  ? {
      [Status in keyof Responses & SuccessStatus]: {
        status: Status;
        body: Readable<Content<Responses[Status]>>;
      };
    }[keyof Responses & SuccessStatus]
  : never;

/** `Env` is what the server adds to every request: context and stores. */
export type Handler<Operation, Env> = (request: OperationRequest<Operation> & Env) => Promise<OperationResult<Operation>>;

/** A handler for every operation of an API: one that is missing, misspelt or answers what it does not declare is a type error. */
export type Handlers<Operations, Env> = {
  [Id in keyof Operations]: Handler<Operations[Id], Env>;
};

/** One row of a route table: as much of an operation's description as clients need. */
export type Route = {
  method: "get" | "post" | "put" | "patch" | "delete";
  path: string;
  /** Whether a write under the same `Idempotency-Key` happens once. */
  takesIdempotencyKey?: true;
  /** Whether what it answers is not JSON, but a file or a stream. */
  answersText?: true;
};
