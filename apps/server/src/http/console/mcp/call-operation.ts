import { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import express, { type Request, type Response, type Router } from "express";
import type { Logger } from "pino";
import type { Instruments } from "../../../common/instruments.ts";
import { createAccessLog } from "../../common/access-log.ts";
import { refuseNulInPath } from "../../common/refuse-nul.ts";
import { refuseUnknownPath } from "../../common/routes.ts";
import { answerErrors } from "../errors.ts";
import { markAsTool } from "../require-tool-scope.ts";
import { sendJson } from "../send-json.ts";
import type { ToolOperation } from "./catalog.ts";

/** The parts of a call, as a request of the console API has them. */
export type Call = {
  path?: Record<string, string | number>;
  query?: Record<string, unknown>;
  body?: unknown;
  ifMatch?: string;
};

/** The response to a call. `text` is its JSON. */
export type Answer = { status: number; etag: string | undefined; text: string };

/** Calls operations in the name of one caller. */
export type CallOperation = (operation: ToolOperation, call: Call) => Promise<Answer>;

type Services = { router: Router; log: Logger; instruments: Instruments };

/** The headers that say at which URL the caller reached the server. */
const ORIGIN_HEADERS = ["host", "x-forwarded-proto", "x-forwarded-host"] as const;

/** What the middleware of the console API finds out about a request before it is routed. */
const LOCALS = ["credentials", "identifyAgain", "origin", "requestID", "traceID"] as const;

/**
 * Calls operations through the routes of the console API, without a connection. So a call is checked, limited, executed and recorded like a
 * request. It has the credentials and the ID of the request that causes it.
 */
export function createCalls({ router, log, instruments }: Services): (outer: Request, outerResponse: Response) => CallOperation {
  const app = express();
  app.disable("etag").disable("x-powered-by");
  app.use(sendJson, refuseNulInPath, router, refuseUnknownPath);
  app.use(answerErrors(log, () => undefined));
  const record = createAccessLog(log, instruments);

  return (outer, outerResponse) => (operation, call) =>
    new Promise((resolve) => {
      const start = performance.now();
      const request = toRequest(outer, operation, call);
      const response = capture(request, (text) => {
        outerResponse.off("close", leave);
        const { requestID, traceID } = outerResponse.locals;
        const { method, path, operationId } = operation;
        record(response, {
          requestID,
          traceID,
          method: method.toUpperCase(),
          path,
          operation: operationId,
          milliseconds: performance.now() - start,
        });
        resolve({ status: response.statusCode, etag: response.getHeader("ETag") as string | undefined, text });
      });
      const leave = () => void response.emit("close");
      outerResponse.once("close", leave);
      response.locals = Object.fromEntries(LOCALS.map((name) => [name, outerResponse.locals[name]]));
      markAsTool(response);
      app(request, response);
    });
}

function toRequest(outer: Request, operation: ToolOperation, { body, ifMatch, ...place }: Call): Request {
  const { remoteAddress, localAddress, localPort } = outer.socket;
  const request = new IncomingMessage({ remoteAddress, localAddress, localPort } as Socket);
  const bytes = operation.body && body !== undefined ? Buffer.from(JSON.stringify(body)) : undefined;
  const origin = ORIGIN_HEADERS.flatMap((name) => (outer.headers[name] === undefined ? [] : [[name, outer.headers[name]]]));
  request.method = operation.method.toUpperCase();
  request.url = toURL(operation, place);
  request.headers = {
    ...Object.fromEntries(origin),
    ...(bytes && { "content-type": "application/json", "content-length": String(bytes.length) }),
    ...(ifMatch !== undefined && { "if-match": ifMatch }),
  };
  request._read = () => {};
  // Otherwise its end would count as a broken connection.
  request.complete = true;
  if (bytes) request.push(bytes);
  request.push(null);
  return request as Request;
}

/** A missing parameter becomes a segment that is no entity's. */
function toURL(operation: ToolOperation, { path = {}, query = {} }: Call): string {
  const pathname = operation.path.replaceAll(/\{(\w+)\}/g, (_, name) => encode(String(path[name] ?? "")));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value]) if (item !== null && item !== undefined) search.append(name, String(item));
  }
  return search.size === 0 ? pathname : `${pathname}?${search}`;
}

/** Halves of surrogate pairs, which a URL cannot have, become U+FFFD. */
function encode(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString());
}

/** A response that keeps its body instead of sending it. @param done called once with the body */
function capture(request: Request, done: (text: string) => void): Response {
  const response = new ServerResponse(request);
  const chunks: Buffer[] = [];
  const add = (chunk: unknown) => {
    if (typeof chunk === "string" || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk as string));
  };
  let hasEnded = false;
  const end = (chunk?: unknown) => {
    if (hasEnded) return response;
    hasEnded = true;
    add(chunk);
    // The access log reads it, and nothing is sent.
    Object.defineProperty(response, "writableFinished", { value: true });
    response.emit("finish");
    response.emit("close");
    done(Buffer.concat(chunks).toString());
    return response;
  };
  const write = (chunk: unknown) => {
    add(chunk);
    return true;
  };
  return Object.assign(response, { write, end, destroy: end }) as unknown as Response;
}
