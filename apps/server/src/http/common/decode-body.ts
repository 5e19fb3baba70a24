import type { IncomingMessage } from "node:http";
import { AppError } from "../../common/errors.ts";
import { LARGE_BODY_BYTES, type Turn } from "./large-bodies.ts";
import { brokenOff } from "./read-bytes.ts";

/** Decodes one encoding. @throws AppError payload_too_large if the result exceeds `limit` bytes */
export type Decode = (data: Buffer, limit: number) => Promise<Buffer>;

/**
 * Decodes the encodings of a body, the last one first. A body that turns out to be large is decoded again in its turn. Its handler passes
 * on and ends the turn.
 * @param limit of the bytes after each step
 */
export async function decodeBody(
  request: IncomingMessage,
  sent: Buffer,
  { decoders, limit, turn }: { decoders: Decode[]; limit: number; turn: Turn },
): Promise<Buffer> {
  const small = sent.length <= LARGE_BODY_BYTES ? await decodeSmall(sent, decoders, Math.min(limit, LARGE_BODY_BYTES)) : undefined;
  if (small) return small;
  await turn.take(sent.length);
  if (request.socket.destroyed) throw brokenOff();
  const text = await decode(sent, decoders, limit);
  turn.measure(text.length);
  return text;
}

/** Undefined if the result exceeds `limit`. */
async function decodeSmall(sent: Buffer, decoders: Decode[], limit: number): Promise<Buffer | undefined> {
  try {
    return await decode(sent, decoders, limit);
  } catch (error) {
    if (error instanceof AppError && error.code === "payload_too_large") return undefined;
    throw error;
  }
}

async function decode(sent: Buffer, decoders: Decode[], limit: number): Promise<Buffer> {
  let data = sent;
  for (const undo of decoders) data = await undo(data, limit);
  return data;
}
