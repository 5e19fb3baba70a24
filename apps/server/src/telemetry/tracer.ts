import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type Attributes, type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, type Tracer, trace } from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import type { NotedFlag, OperationRoute, Tracing } from "../common/tracing.ts";
import { JOB_NAME } from "./idle-jobs.ts";
import { describeQuery } from "./query-text.ts";

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY", "CONNECT", "TRACE"]);
/** Flags of one response in its span. SDKs keep 128 events of a span. */
const MAX_FLAGS = 100;

const propagator = new W3CTraceContextPropagator();
const fromHeaders = {
  get: (headers: IncomingMessage["headers"], name: string) => headers[name],
  keys: (headers: IncomingMessage["headers"]) => Object.keys(headers),
};

/** The span of a request, until its response is closed. */
type Served = { span: Span; context: Context; method: string; operation?: string | undefined };

/**
 * Creates spans by the semantic conventions of OpenTelemetry. They have no addresses, queries or values, and the path of a request only as
 * its template: paths can have keys, and ids of people.
 * @param routes the route of each operation
 */
export function createTracing(tracer: Tracer, routes: ReadonlyMap<string, OperationRoute>): Tracing {
  const active = new AsyncLocalStorage<Context>();
  const served = new WeakMap<ServerResponse, Served>();

  function endRequest(response: ServerResponse, { span, method, operation }: Served): void {
    const route = operation === undefined ? undefined : routes.get(operation)?.path;
    const { statusCode } = response;
    if (route !== undefined) span.updateName(`${method} ${route}`).setAttributes({ "http.route": route, "url.path": route });
    if (operation !== undefined) span.setAttribute("gatehouse.operation", operation);
    if (response.headersSent) span.setAttribute("http.response.status_code", statusCode);
    if (statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute("error.type", String(statusCode));
    span.end();
  }

  /** Runs work in a span. An error's message can have values, so the span has only its code. */
  async function inSpan<T>(span: Span, parent: Context, work: () => Promise<T>): Promise<T> {
    try {
      return await active.run(trace.setSpan(parent, span), work);
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR }).setAttributes(errorAttributes(error));
      throw error;
    } finally {
      span.end();
    }
  }

  function inChild<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
    const parent = active.getStore();
    if (parent === undefined || trace.getSpan(parent)?.isRecording() !== true) return work();
    return inSpan(tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, parent), parent, work);
  }

  return {
    serve(request, response, work) {
      const parent = propagator.extract(ROOT_CONTEXT, request.headers, fromHeaders);
      const method = METHODS.has(request.method ?? "") ? (request.method as string) : "_OTHER";
      const attributes = {
        "http.request.method": method,
        "url.scheme": "encrypted" in request.socket ? "https" : "http",
        "network.protocol.version": request.httpVersion,
      };
      const name = method === "_OTHER" ? "HTTP" : method;
      const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent);
      const one: Served = { span, context: trace.setSpan(parent, span), method: name };
      served.set(response, one);
      // Other listeners name the operation at the same event.
      response.once("close", () => queueMicrotask(() => endRequest(response, one)));
      active.run(one.context, work);
    },
    nameOperation(response, operation) {
      const one = served.get(response);
      if (one) one.operation = operation;
    },
    within(response, work) {
      const one = served.get(response);
      if (one) active.run(one.context, work);
      else work();
    },
    noteFlags(response, read) {
      const span = served.get(response)?.span;
      if (span?.isRecording() !== true) return;
      let left = MAX_FLAGS;
      for (const flag of read()) {
        if (left-- === 0) return;
        span.addEvent("feature_flag.evaluation", flagAttributes(flag));
      }
    },
    statement(statement, work) {
      const { summary, operation, text: shown } = describeQuery(statement);
      const attributes = { "db.operation.name": operation, "db.query.summary": summary, "db.query.text": shown };
      return inChild(summary, { "db.system.name": statement.system, ...attributes }, work);
    },
    transaction: (work) => inChild("transaction", { "db.system.name": "postgresql", "db.operation.name": "TRANSACTION" }, work),
    outgoing(method, work) {
      const parent = active.getStore();
      if (parent === undefined) return work({});
      const span = tracer.startSpan(method, { kind: SpanKind.CLIENT, attributes: { "http.request.method": method } }, parent);
      return inSpan(span, parent, () => work(traceparentOf(trace.setSpan(parent, span))));
    },
    job: (name, work) => inSpan(tracer.startSpan(`job ${name}`, { attributes: { [JOB_NAME]: name } }, ROOT_CONTEXT), ROOT_CONTEXT, work),
    ids() {
      const context = active.getStore();
      const span = context && trace.getSpanContext(context);
      return span && { trace_id: span.traceId, span_id: span.spanId };
    },
  };
}

/** Without `tracestate`, which may have data of other systems. */
function traceparentOf(context: Context): Record<string, string> {
  const headers: Record<string, string> = {};
  propagator.inject(context, headers, { set: (to, name, value) => void (name === "traceparent" && Object.assign(to, { [name]: value })) });
  return headers;
}

function flagAttributes({ key, variant, reason }: NotedFlag): Attributes {
  return {
    "feature_flag.key": key,
    "feature_flag.provider.name": "Gatehouse",
    "feature_flag.result.reason": reason.toLowerCase(),
    ...(variant !== null && { "feature_flag.result.variant": variant }),
  };
}

/** SQLSTATE, or another code, or the class of an error. */
function errorAttributes(error: unknown): Attributes {
  const { code, name } = error as { code?: unknown; name?: unknown };
  const type = typeof code === "string" && /^\w{1,40}$/.test(code) ? code : String(name);
  return { "error.type": type, ...(/^[0-9A-Z]{5}$/.test(type) && { "db.response.status_code": type }) };
}
