import type { OperationRequest, OperationResult } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/evaluation";
import type { Credentials } from "../context.ts";
import type { AppError } from "../errors.ts";
import type { Stores } from "../stores.ts";
import type { EventIntake } from "./events/event-intake.ts";
import type { FlagStreams } from "./ofrep/flag-streams.ts";
import type { Outlet } from "./outlet.ts";
import type { Rulesets } from "./rulesets/rulesets.ts";
import type { Sendable } from "./rulesets/sendable.ts";

/** Who calls, and when. */
export type Caller = {
  credentials: Credentials;
  /** The address of the application: the other end of the connection, or what trusted proxies say. */
  ip: string;
  userAgent: string | undefined;
  /** Milliseconds since the epoch. */
  now: number;
};

/** A request's header by its name in lower case. */
export type Headers = Readonly<Record<string, string | undefined>>;

/** What the server adds to every request of the evaluation API. */
export type EvaluationEnv = {
  caller: Caller;
  headers: Headers;
  /** The URL at which the caller reached the server, without a path: `https://flags.example.com`. */
  origin: string;
  /**
   * A token that opens one path in the caller's name, for a URL that is asked for without a key. It works as long as the caller's key does.
   * The operation at the path declares a security scheme that is an apiKey in the query of the name `token`.
   */
  tokenFor(path: string): string;
  rulesets: Rulesets;
  intake: EventIntake;
  flagStreams: FlagStreams;
  /** Reads the database, in the caller's project. Most requests have no need to. */
  read<T>(work: (stores: Stores) => Promise<T>): Promise<T>;
};

/**
 * What a handler answers beside the contract's bodies. `json` is such a body, written already, in pieces of UTF-8. `sendable` goes out in the encoding that the caller prefers, `chunks` as plain text
 * of `length` bytes, and `stream` is called with the outlet once the headers are sent. An answer with an ETag becomes 304 to a GET that
 * holds it already.
 */
export type PreparedResult = { headers?: Record<string, string>; body?: undefined } & (
  | { status: 200; json: Uint8Array[] }
  | { status: 200; sendable: Sendable }
  | { status: 200 | 206; length: number; chunks: AsyncIterable<Buffer> }
  | { status: 200; stream: (outlet: Outlet) => void }
  | { status: 304 }
);

type DeclaredResult<Operation> = OperationResult<Operation> & { headers?: Record<string, string> };

type EvaluationResult<Operation> = DeclaredResult<Operation> | PreparedResult;

/** A handler for every operation of the evaluation API. It throws its errors as those of the console API do. */
export type EvaluationHandlers = {
  [Id in keyof operations]: (request: OperationRequest<operations[Id]> & EvaluationEnv) => Promise<EvaluationResult<operations[Id]>>;
};

/** The body of an error for a family of operations that has a shape of its own. The error's code decides the status in every shape. */
export type ToErrorBody = (error: AppError, path: Readonly<Record<string, string>>) => object;
