import { once } from "node:events";
import type { Response } from "express";

/** A caller who stops reading for so long is disconnected. */
const STALL_TIMEOUT_MS = 60_000;

/** Writes a part of a body. Resolves when the caller has room for more, or has left. */
export async function writePart(response: Response, part: string | Uint8Array): Promise<void> {
  if (!response.write(part)) await until("drain", response);
}

/** Ends a body. Resolves when all of it is sent, or the caller has left. */
export async function endBody(response: Response): Promise<void> {
  response.end();
  if (!response.writableFinished) await until("finish", response);
}

async function until(event: "drain" | "finish", response: Response): Promise<void> {
  if (response.destroyed) return;
  const left = new AbortController();
  const leave = () => left.abort();
  const stalled = setTimeout(() => response.destroy(), STALL_TIMEOUT_MS);
  response.once("close", leave);
  await once(response, event, { signal: left.signal }).catch(() => {});
  response.off("close", leave);
  clearTimeout(stalled);
}
