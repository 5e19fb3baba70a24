import { createHash } from "node:crypto";
import type { BodyDescription } from "@gatehouse/contract";
import type { Request } from "express";
import { AppError, invalid } from "../../common/errors.ts";
import { listed } from "../../common/words.ts";
import { parseBody } from "./body-rules.ts";
import { decodeBody } from "./decode-body.ts";
import { selectDecoders } from "./decompress.ts";
import type { Turn } from "./large-bodies.ts";
import { readBytes } from "./read-bytes.ts";

type ReadRequest = Request & { bodyHash?: string };

/**
 * Reads a JSON body; undefined if it is missing.
 * @param turn taken if the body is large
 * @throws AppError unsupported_media_type, payload_too_large, unavailable, invalid_request
 */
export async function readBody(
  request: ReadRequest,
  limits: Pick<BodyDescription, "maxBytes" | "maxValues">,
  turn: Turn,
  mediaTypes = ["application/json"],
): Promise<unknown> {
  const { "content-type": type, "content-length": length, "transfer-encoding": isChunked } = request.headers;
  if (isChunked === undefined && Number(length ?? 0) === 0) return undefined;
  const isJson = request.is(mediaTypes) && !/charset=(?!"?utf-8)/i.test(type ?? "");
  if (!isJson) throw new AppError("unsupported_media_type", `The body must be sent as ${listed(mediaTypes, "or")}, in UTF-8.`);
  const sent = await readBytes(request, limits.maxBytes);
  if (sent.length === 0) return undefined;
  const decoders = selectDecoders(request.headers["content-encoding"]);
  const text = await decodeBody(request, sent, { decoders, limit: limits.maxBytes, turn });
  if (request.headers["idempotency-key"] !== undefined) request.bodyHash = createHash("sha256").update(text).digest("hex");
  return parseBody(text, limits.maxValues, { keepsIntegers: true });
}

/** Headers that announce a body. */
const BODY_HEADERS = ["content-type", "content-length", "transfer-encoding"];

/**
 * For an operation that does more without a body than with one: rejects a body that is announced but empty, since a proxy may have removed
 * it.
 * @throws AppError invalid_request
 */
export function requireUnannounced({ headers }: Request): void {
  const announcing = BODY_HEADERS.find((name) => headers[name] !== undefined);
  if (announcing === undefined) return;
  const errorMessage = `is empty, although the header ${announcing} is set. List what to remove, or omit the header to remove everything`;
  throw invalid([{ property: "body", errorMessage }]);
}

/** A hash that identifies a request. A retry with the same Idempotency-Key must have the same hash. */
export function fingerprint(request: ReadRequest): string {
  const { method, originalUrl, bodyHash = "" } = request;
  const parts = [method, originalUrl, request.get("If-Match") ?? "", bodyHash];
  return createHash("sha256").update(parts.join("\n")).digest("hex");
}
