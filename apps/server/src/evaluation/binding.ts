import type { OperationRequest, OperationResult } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/evaluation";
import type { Credentials } from "../common/context.ts";
import type { AppError } from "../common/errors.ts";
import type { NotedFlag } from "../common/tracing.ts";
import type { EventIntake } from "./events/event-intake.ts";
import type { FlagStreams } from "./ofrep/flag-streams.ts";
import type { Rulesets } from "./rulesets/rulesets.ts";
import type { Sendable } from "./rulesets/sendable.ts";
import type { IDListFiles } from "./sdk/id-list-file.ts";
import type { SdkReports } from "./sdk-reports/sdk-reports.ts";
import type { StreamWriter } from "./stream-writer.ts";

/** The caller of a request, and its time. */
export type Caller = {
  credentials: Credentials;
  /** The application's IP address: that of the connection, or the one that trusted proxies forward. */
  ip: string;
  userAgent: string | undefined;
  /** Milliseconds since the epoch. */
  now: number;
};

/** A request's headers by name in lower case. */
type Headers = Readonly<Record<string, string | undefined>>;

/** The server's additions to every request of the evaluation API. */
export type EvaluationEnv = {
  caller: Caller;
  headers: Headers;
  /** The URL at which the caller reached the server, with its base path: `https://example.com/gatehouse`. */
  baseUrl: string;
  /** The path of that URL: `/gatehouse`. Empty if the server has its own host. */
  basePath: string;
  /**
   * A token that authorizes requests of one path without a key. It is valid as long as the caller's key is. The operation at the path must
   * declare a security scheme with an apiKey in the query parameter `token`.
   */
  tokenFor(path: string): string;
  /**
   * Counts flags that were evaluated for a user.
   * @param read returns the flags, for a server that is traced
   */
  noteEvaluations(count: number, read?: () => Iterable<NotedFlag>): void;
  rulesets: Pick<Rulesets, "view" | "viewSince" | "origin">;
  intake: Pick<EventIntake, "log" | "expose">;
  flagStreams: FlagStreams;
  sdkReports: Pick<SdkReports, "count">;
  /** The files of id lists in the caller's project. */
  idListFiles: IDListFiles;
};

/**
 * A result other than a body of the contract. `json` is such a body, already serialized, in pieces of UTF-8. `sendable` is sent in the
 * encoding that the caller prefers, `chunks` as plain text of `length` bytes. `stream` is called once the headers are sent. If a result has
 * an ETag, a GET with a matching If-None-Match receives 304.
 */
export type PreparedResult = { headers?: Record<string, string>; body?: undefined } & (
  | { status: 200; json: Uint8Array[] }
  | { status: 200; sendable: Sendable }
  | { status: 200 | 206; length: number; chunks: AsyncIterable<Buffer> }
  | { status: 200; stream: (writer: StreamWriter) => void }
  | { status: 304 }
);

type DeclaredResult<Operation> = OperationResult<Operation> & { headers?: Record<string, string> };

type EvaluationResult<Operation> = DeclaredResult<Operation> | PreparedResult;

/** A handler for every operation of the evaluation API. Handlers throw `AppError`, as those of the console API do. */
export type EvaluationHandlers = {
  [Id in keyof operations]: (request: OperationRequest<operations[Id]> & EvaluationEnv) => Promise<EvaluationResult<operations[Id]>>;
};

/** Creates the body of an error for operations whose errors have another shape. The status follows from the error's code in every shape. */
export type ToErrorBody = (error: AppError, path: Readonly<Record<string, string>>) => object;
