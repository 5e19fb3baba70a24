import type { IncomingMessage, ServerResponse } from "node:http";
import type { Credentials } from "../../common/context.ts";
import { nameRequest, type RequestName } from "../common/request-id.ts";
import type { EvaluationOperation, Match } from "./operation-table.ts";

/** A request before it is authenticated. */
export type Exchange = RequestName & {
  request: IncomingMessage;
  response: ServerResponse;
  /** The path as sent, still percent-encoded. */
  pathname: string;
  query: URLSearchParams;
  match: Match | undefined;
  operation: EvaluationOperation | undefined;
  /** Undefined until the caller is authenticated. */
  credentials: Credentials | undefined;
  /** The SDK's metadata in the body. Undefined until the body is read. */
  metadata: unknown;
};

const NO_QUERY = new URLSearchParams();

export function readExchange(request: IncomingMessage, response: ServerResponse, find: (pathname: string) => Match | undefined): Exchange {
  const url = request.url ?? "";
  const mark = url.indexOf("?");
  const pathname = mark < 0 ? url : url.slice(0, mark);
  const query = mark < 0 ? NO_QUERY : new URLSearchParams(url.slice(mark + 1));
  const match = find(pathname.endsWith("/") ? pathname.slice(0, -1) : pathname);
  // Objects on the path of every request don't begin with a spread. Node 20 gives each such object a new shape, which outlives the request.
  const { requestID, traceID } = nameRequest(request);
  return {
    requestID,
    traceID,
    request,
    response,
    pathname,
    query,
    match,
    operation: match?.path.operations.get(request.method ?? ""),
    credentials: undefined,
    metadata: undefined,
  };
}
