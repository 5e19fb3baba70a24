import { sha256 } from "@noble/hashes/sha2.js";
import type { NameHash } from "./evaluator.ts";

const encoder = new TextEncoder();
const input = new Uint8Array(1024);
const digest = new Uint8Array(32);
const words = new DataView(digest.buffer);
const empty = sha256.create();
const running = sha256.create();

/** Writes the SHA-256 of the text's UTF-8 to `digest`. Reuses one hash state, since most texts are one or two blocks. */
function hash(text: string): void {
  empty._cloneInto(running);
  if (text.length * 3 <= input.length) running.update(input.subarray(0, encoder.encodeInto(text, input).written));
  else running.update(encoder.encode(text));
  running.digestInto(digest);
}

/**
 * The bucket of a text, of at most 2^20: the first 8 bytes of its SHA-256, as a big-endian number, modulo `buckets`. Computed in two halves
 * of 32 bits, which are exact in doubles.
 */
export const bucket: Bucket = (text, buckets) => {
  hash(text);
  return place(words.getUint32(0), words.getUint32(4), buckets);
};

export type Bucket = (text: string, buckets: number) => number;

/** `bucket` with another SHA-256, which returns hexadecimal digits. */
export function bucketBy(sha256Hex: (text: string) => string): Bucket {
  return (text, buckets) => {
    const digits = sha256Hex(text);
    return place(Number.parseInt(digits.slice(0, 8), 16), Number.parseInt(digits.slice(8, 16), 16), buckets);
  };
}

function place(high: number, low: number, buckets: number): number {
  return ((high % buckets) * (2 ** 32 % buckets) + low) % buckets;
}

/** The hash of an id in id lists: the first 8 characters of its SHA-256 in base64. */
export function hashID(id: string): string {
  hash(id);
  return btoa(String.fromCharCode(...digest.subarray(0, 6)));
}

/** The hash of a name for client SDKs. djb2 is an unsigned 32-bit integer in decimal, over UTF-16 code units; sha256 is in base64. */
export function hashName(name: string, algorithm: NameHash): string {
  if (algorithm === "none") return name;
  if (algorithm === "djb2") return djb2(name);
  hash(name);
  return btoa(String.fromCharCode(...digest));
}

function djb2(text: string): string {
  let value = 0;
  for (let index = 0; index < text.length; index++) value = (Math.imul(value, 31) + text.charCodeAt(index)) | 0;
  return String(value >>> 0);
}
