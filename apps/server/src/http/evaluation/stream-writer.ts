import type { ServerResponse } from "node:http";
import type { StreamWriter } from "../../evaluation/stream-writer.ts";

/** Writes to a response whose headers have been sent. */
export function createStreamWriter(response: ServerResponse): StreamWriter {
  const closing = new AbortController();
  response.once("close", () => closing.abort());
  // If the reader left before the stream began, "close" was already emitted.
  if (response.destroyed) closing.abort();
  return {
    write(text) {
      response.write(text);
      return response.writableLength;
    },
    end: () => void response.end(),
    destroy: () => void response.destroy(),
    closed: closing.signal,
  };
}
