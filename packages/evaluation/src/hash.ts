import { sha256 } from "@noble/hashes/sha2.js";
import type { NameHash } from "./evaluator.ts";

const encoder = new TextEncoder();
const input = new Uint8Array(1024);
const digest = new Uint8Array(32);
const words = new DataView(digest.buffer);
const empty = sha256.create();
const running = sha256.create();

/** Leaves the SHA-256 of the text's UTF-8 in `digest`. One state is used again for all: most texts are a block or two. */
function hash(text: string): void {
  empty._cloneInto(running);
  if (text.length * 3 <= input.length) running.update(input.subarray(0, encoder.encodeInto(text, input).written));
  else running.update(encoder.encode(text));
  running.digestInto(digest);
}

/**
 * The text's place among `buckets` (at most 2^20) equal parts: the first 8 bytes of its SHA-256, as a big-endian number, modulo `buckets`.
 * In two halves of 32 bits each, which stay exact in a double.
 */
export function bucket(text: string, buckets: number): number {
  hash(text);
  return ((words.getUint32(0) % buckets) * (2 ** 32 % buckets) + words.getUint32(4)) % buckets;
}

/** An id as id lists keep it: the first 8 characters of its SHA-256 in base64. */
export function hashID(id: string): string {
  hash(id);
  return btoa(String.fromCharCode(...digest.subarray(0, 6)));
}

/** A name as client SDKs look it up. djb2 is an unsigned 32-bit number in decimal, over UTF-16 units; sha256 is in base64. */
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
