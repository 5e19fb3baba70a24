import type { RequestHandler } from "express";
import { getCredentials, identifyAgain } from "./authenticate.ts";
import type { ChangeStreams } from "./change-streams.ts";

/** Serves the stream of changes. X-Accel-Buffering keeps proxies from buffering the events. */
export function serveChanges(streams: ChangeStreams): RequestHandler {
  return async (request, response) => {
    const { after } = request.query as { after?: number };
    const last = request.get("Last-Event-ID");
    const begin = await streams.open(getCredentials(response), last === undefined ? after : Number(last), () => identifyAgain(response));
    response.status(200).setHeader("Content-Type", "text/event-stream");
    response.setHeader("Cache-Control", "no-cache, no-transform").setHeader("X-Accel-Buffering", "no");
    response.flushHeaders();
    begin(response);
  };
}
