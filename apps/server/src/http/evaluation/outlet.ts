import type { ServerResponse } from "node:http";
import type { Outlet } from "../../evaluation/outlet.ts";

/** Where a stream writes: the response, whose headers are sent. */
export function createOutlet(response: ServerResponse): Outlet {
  const closing = new AbortController();
  response.once("close", () => closing.abort());
  // The event has fired already if the reader left before the stream began.
  if (response.destroyed) closing.abort();
  return {
    write(text) {
      response.write(text);
      return response.writableLength;
    },
    end: () => void response.end(),
    cutOff: () => void response.destroy(),
    closed: closing.signal,
  };
}
