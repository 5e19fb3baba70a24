import { createHmac } from "node:crypto";
import type { Origin } from "../../common/context.ts";

/** An entry of the change log as far as its signature covers it. */
export type SignedColumns = Origin & {
  projectID: string;
  /** Milliseconds since the epoch. */
  time: number;
  actorID: string;
  actorName: string;
  actorEmail: string | null;
  operationID: string;
  entityType: string;
  entityID: string;
  /** 0 for entries that are not changes of an entity. */
  version: number;
  reason: string | null;
  before: string | null;
  after: string | null;
  altersLists: boolean;
  movesRuleset: boolean;
};

/** The state of a sealed entry: signed, from before the first key, unsigned, or missing. */
export type SealKind = "signed" | "before" | "unsigned" | "missing";

/** The link of an entry in its project's chain. `id` is the entry's, null if it is missing. */
export type Link = { projectID: string; seq: number; kind: SealKind; id: string | null; signature: string; previous: string };

/**
 * Creates the HMACs of the audit log (RFC 2104, with SHA-256), as Base64url. Each is made over the canonical text of an array: JSON without
 * white space, its strings escaped as by ECMAScript's `JSON.stringify` (RFC 8785, section 3.2.2). The array's first item is its type, so
 * that HMACs of different types differ.
 */
export type AuditKey = {
  /** The signature of an entry: over every column but id and seq, which the database adds. */
  sign(entry: SignedColumns): string;
  /** The seal of an entry: over its number, its id, its signature and the seal before it. */
  seal(link: Link): string;
  /** Proves that a server dropped the entries `from` to `to`. The seal is the last one's. */
  proveDrop(projectID: string, from: number, to: number, seal: string): string;
  /** Proves that a server with this key began to seal then, ms since the epoch. */
  proveStart(since: number): string;
  /** The keys before this one, newest first, to verify their seals. */
  previous: readonly AuditKey[];
};

/** @param previous the secrets before this one, newest first */
export function createAuditKey(secret: string, previous: readonly string[] = []): AuditKey {
  const hmac = (items: Item[]) => createHmac("sha256", secret).update(JSON.stringify(items)).digest("base64url");
  return {
    sign: (entry) =>
      hmac([
        "entry 1",
        entry.projectID,
        entry.time,
        entry.actorID,
        asStored(entry.actorName),
        asStored(entry.actorEmail),
        entry.operationID,
        entry.entityType,
        asStored(entry.entityID),
        entry.version,
        asStored(entry.reason),
        entry.before,
        entry.after,
        entry.altersLists,
        entry.movesRuleset,
        entry.address,
        entry.userAgent,
        entry.requestID,
      ]),
    seal: ({ projectID, seq, kind, id, signature, previous }) => hmac(["seal 1", projectID, seq, kind, id, signature, previous]),
    proveDrop: (projectID, from, to, seal) => hmac(["drop 1", projectID, from, to, seal]),
    proveStart: (since) => hmac(["start 1", since]),
    previous: previous.map((earlier) => createAuditKey(earlier)),
  };
}

type Item = string | number | boolean | null;

/** The text as the database stores it: a half of a surrogate pair, which UTF-8 cannot express, is replaced. JSON texts have none. */
function asStored(text: string | null): string | null {
  return text?.replace(/\p{Surrogate}/gu, "\u{fffd}") ?? null;
}
