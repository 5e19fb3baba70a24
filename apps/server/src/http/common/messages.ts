import { IncomingMessage, ServerResponse } from "node:http";
import type { Express } from "express";

/** The classes of a server's requests and responses. */
export type Messages = { IncomingMessage: typeof IncomingMessage; ServerResponse: typeof ServerResponse };

/**
 * Classes of requests and responses that have the prototypes of an Express application from the start. Express replaces the prototypes of
 * others, and then V8 keeps a request's objects, about 12 KB, until a full collection.
 */
export function expressMessages(app: Express): Messages {
  class Request extends IncomingMessage {}
  class Response extends ServerResponse {}
  Object.setPrototypeOf(Request.prototype, app.request);
  Object.setPrototypeOf(Response.prototype, app.response);
  Object.assign(app, { request: Request.prototype, response: Response.prototype });
  return { IncomingMessage: Request, ServerResponse: Response as typeof ServerResponse };
}
