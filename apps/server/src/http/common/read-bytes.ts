import type { IncomingMessage } from "node:http";
import { AppError } from "../../common/errors.ts";
import { tooLarge } from "./body-rules.ts";

/** Reads the bytes of a body. @param limit bytes @throws AppError payload_too_large, invalid_request */
export function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else chunks.length = 0;
    });
    request.once("end", () => {
      // Reject only at the end, since a caller that is still sending does not read the response.
      if (size > limit) reject(tooLarge(limit));
      else resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks));
    });
    request.once("close", () => {
      if (!request.readableEnded) reject(brokenOff());
    });
  });
}

export function brokenOff(): AppError {
  return new AppError("invalid_request", "The body is incomplete.");
}
