// Valid and invalid encodings of bodies.
import { brotliCompressSync, constants, deflateSync, gzipSync } from "node:zlib";

const ZSTD_BLOCK_BYTES = 2 ** 17;

const header = (value) => [["Content-Encoding", value]];
const reversedBase64 = (data) => Buffer.from(data.toString("base64").split("").reverse().join(""));
const gzip = (data) => gzipSync(data, { level: 6 });
const brotli = (data) => brotliCompressSync(data, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });

/** Each returns the bytes to send, with their headers and query. */
const CODINGS = {
  gzip: (data) => ({ data: gzip(data), headers: header("gzip") }),
  br: (data) => ({ data: brotli(data), headers: header("br") }),
  deflate: (data) => ({ data: deflateSync(data), headers: header("deflate") }),
  zstd: (data) => ({ data: storedInZstd(data), headers: header("zstd") }),
  "gzip-twice": (data) => ({ data: gzip(gzip(data)), headers: header("gzip") }),
  "gzip-cut": (data) => ({ data: gzip(data).subarray(0, -9), headers: header("gzip") }),
  "gzip-garbage": (data) => ({ data: Buffer.concat([gzip(data), Buffer.from("garbage")]), headers: header("gzip") }),
  "gzip-called-br": (data) => ({ data: gzip(data), headers: header("br") }),
  "br-called-gzip": (data) => ({ data: brotli(data), headers: header("gzip") }),
  se: (data) => ({ data: reversedBase64(data), query: [["se", "1"]] }),
  "se-wrong": (data) => ({ data, query: [["se", "1"]] }),
  gz: (data) => ({ data: gzip(data), query: [["gz", "1"]] }),
  "gz-se": (data) => ({
    data: gzip(reversedBase64(data)),
    query: [
      ["gz", "1"],
      ["se", "1"],
    ],
  }),
  "gzip-gz": (data) => ({ data: gzip(gzip(data)), headers: header("gzip"), query: [["gz", "1"]] }),
  "STATSIG-ENCODED": (data) => ({ data: reversedBase64(data), headers: [["STATSIG-ENCODED", "1"]] }),
};

/** @returns the bytes to send, with their headers and query */
export function encode(coding, data) {
  const { data: encoded = data, headers = [], query = [] } = CODINGS[coding]?.(data) ?? {};
  return { data: encoded, headers, query };
}

/** A zstd frame with raw blocks, for versions of Node without zstd. Source: RFC 8878, section 3.1.1. */
function storedInZstd(data) {
  const head = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0, 0, 0, 0]);
  head.writeUInt32LE(data.length, 5);
  const parts = [head];
  for (let start = 0; start === 0 || start < data.length; start += ZSTD_BLOCK_BYTES) {
    const block = data.subarray(start, start + ZSTD_BLOCK_BYTES);
    const isLast = start + ZSTD_BLOCK_BYTES >= data.length;
    const blockHead = Buffer.alloc(3);
    blockHead.writeUIntLE((isLast ? 1 : 0) | (block.length << 3), 0, 3);
    parts.push(blockHead, block);
  }
  return Buffer.concat(parts);
}
