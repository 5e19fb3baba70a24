import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** The ids of a request in the log, in the audit log and in its response. */
export type RequestName = {
  /** The id that the caller sent, or a random one. */
  requestID: string;
  /** The trace that the caller's `traceparent` names (W3C Trace Context, section 3.2), 32 hexadecimal digits. */
  traceID: string | undefined;
};

const REQUEST_ID = /^[\w.:-]{1,100}$/;
/** Any version: later versions than 00 append fields. Ids of only zeros are invalid. */
const TRACEPARENT = /^(?!ff|00.{54})[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?$/;

/** Takes the ids from the request's headers. A header that does not have the right form counts as missing. */
export function nameRequest({ headers }: IncomingMessage): RequestName {
  const sent = headers["x-request-id"];
  const traceparent = headers.traceparent;
  const requestID = typeof sent === "string" && REQUEST_ID.test(sent) ? sent : randomUUID();
  const traceID = typeof traceparent === "string" ? TRACEPARENT.exec(traceparent)?.[1] : undefined;
  return { requestID, traceID };
}
