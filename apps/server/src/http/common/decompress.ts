import { promisify } from "node:util";
import zlib from "node:zlib";
import { ZSTDDecoder } from "zstddec";
import { AppError } from "../../common/errors.ts";
import { tooLarge } from "./body-rules.ts";
import type { Decode } from "./decode-body.ts";

type Decompress = (data: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

/** Node's own zstd, which the types of the oldest supported Node lack. */
const { zstdDecompress } = zlib as unknown as { zstdDecompress?: typeof zlib.gunzip };

const DECOMPRESS = new Map<string, Decompress>([
  ["gzip", promisify(zlib.gunzip) as Decompress],
  ["x-gzip", promisify(zlib.gunzip) as Decompress],
  ["deflate", promisify(zlib.inflate) as Decompress],
  ["br", promisify(zlib.brotliDecompress) as Decompress],
  ["zstd", zstdDecompress ? (promisify(zstdDecompress) as Decompress) : unpackZstd],
]);

/**
 * The decoder of a Content-Encoding. It stops with payload_too_large beyond its limit, and rejects invalid data with invalid_request.
 * @throws AppError unsupported_media_type
 */
export function selectDecoders(header: string | undefined): Decode[] {
  const encoding = (header || "identity").toLowerCase();
  if (encoding === "identity") return [];
  const unpack = DECOMPRESS.get(encoding);
  if (!unpack) throw new AppError("unsupported_media_type", "The Content-Encoding is unknown. Use gzip, deflate, br, or zstd.");
  return [(data, limit) => decompress(data, { encoding, unpack, limit })];
}

async function decompress(
  data: Buffer,
  { encoding, unpack, limit }: { encoding: string; unpack: Decompress; limit: number },
): Promise<Buffer> {
  try {
    return await unpack(data, { maxOutputLength: limit });
  } catch (error) {
    const isTooLarge = error instanceof RangeError || (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE";
    throw isTooLarge ? tooLarge(limit) : notEncoded(encoding);
  }
}

export const decompressGzip = selectDecoders("gzip")[0] as Decode;

export function notEncoded(encoding: string): AppError {
  return new AppError("invalid_request", "The request is not valid.", [{ property: "body", errorMessage: `is not valid ${encoding}` }]);
}

const decoder = new ZSTDDecoder();

/** For Node without zstd. The decoder writes into a buffer of the given size, and returns nothing if that is too small. */
async function unpackZstd(data: Buffer, { maxOutputLength }: { maxOutputLength: number }): Promise<Buffer> {
  await decoder.init();
  const unpacked = decoder.decode(data, maxOutputLength);
  if (unpacked.length > 0) return Buffer.from(unpacked.buffer);
  if (declaredSize(data) > maxOutputLength) throw new RangeError("The frame is too large.");
  throw new Error("The frame is not valid.");
}

/** The content size that a zstd frame declares; 0 if it declares none (RFC 8878, section 3.1.1.1). */
function declaredSize(frame: Buffer): number {
  const descriptor = frame[4] ?? 0;
  const isSingleSegment = (descriptor & 32) !== 0;
  const sizeBytes = [isSingleSegment ? 1 : 0, 2, 4, 8][descriptor >> 6] as number;
  const start = 5 + (isSingleSegment ? 0 : 1) + ([0, 1, 2, 4][descriptor & 3] as number);
  if (sizeBytes === 0 || frame.length < start + sizeBytes) return 0;
  if (sizeBytes === 8) return Number(frame.readBigUInt64LE(start));
  return frame.readUIntLE(start, sizeBytes) + (sizeBytes === 2 ? 256 : 0);
}
