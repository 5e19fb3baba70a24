import type { IncomingMessage, ServerResponse } from "node:http";

/** A flag that was evaluated for a user. Reasons are those of OFREP. */
export type NotedFlag = { key: string; variant: string | null; reason: string };

/** Ids for the log, by their names in the log data model of OpenTelemetry. */
type TraceIDs = { trace_id: string; span_id: string };

/** A statement without its values. */
export type TracedStatement = { system: "postgresql" | "clickhouse"; text: string };

/** The method and the path template of an operation: `/console/v1/gates/{id}`. */
export type OperationRoute = { method: string; path: string };

/** Creates spans. A server that isn't traced has none of it. */
export type Tracing = {
  /** Serves a request in a span, which continues the caller's trace. It ends when the response is closed. */
  serve(request: IncomingMessage, response: ServerResponse, work: () => void): void;
  /** Adds the operation and the path template of a request to its span. */
  nameOperation(response: ServerResponse, operation: string): void;
  /** Runs work that belongs to a request after its response. */
  within(response: ServerResponse, work: () => void): void;
  /** Adds the evaluated flags to the span of a request, unless that isn't sampled. */
  noteFlags(response: ServerResponse, read: () => Iterable<NotedFlag>): void;
  /** Runs a statement in a span, if its caller has one. */
  statement<T>(statement: TracedStatement, work: () => Promise<T>): Promise<T>;
  /** Runs a transaction in a span, if its caller has one. */
  transaction<T>(work: () => Promise<T>): Promise<T>;
  /** Sends a request to another server in a span, if its caller has one. `work` receives the headers that continue the trace there. */
  outgoing<T>(method: string, work: (headers: Record<string, string>) => Promise<T>): Promise<T>;
  /** Runs a background job in a span. */
  job(name: string, work: () => Promise<void>): Promise<void>;
  /** The ids of the span that the caller runs in. */
  ids(): TraceIDs | undefined;
};
