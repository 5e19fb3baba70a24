import type { Bucket } from "./hash.ts";

/** What evaluation needs beside the user and the ruleset's specs. */
export type EvaluationRuntime = {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Where a text falls among equal parts. */
  bucket: Bucket;
  /** The id list's 8-character hashes. */
  idList(name: string): ReadonlySet<string> | undefined;
  /** The two letters of the country that an address belongs to. */
  ipToCountry(ip: string): string | null;
  /** The tier of users that carry none. */
  defaultTier: string | null;
  /** The target app that `target_app` conditions compare. */
  appID: string | null;
};
