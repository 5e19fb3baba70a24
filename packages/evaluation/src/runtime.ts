import type { Bucket } from "./hash.ts";

/** The inputs of evaluation besides the user and the ruleset's specs. */
export type EvaluationRuntime = {
  /** Milliseconds since the epoch. */
  now(): number;
  /** The bucket of a text. */
  bucket: Bucket;
  /** The 8-character hashes of an id list. */
  idList(name: string): ReadonlySet<string> | undefined;
  /** The two-letter code of an address's country. */
  ipToCountry(ip: string): string | null;
  /** The tier of users without one. */
  defaultTier: string | null;
  /** The target app that `target_app` conditions compare. */
  appID: string | null;
};
