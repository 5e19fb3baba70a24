/** What evaluation knows beside the user and the ruleset's specs. */
export type Surroundings = {
  /** ms */
  now(): number;
  /** The id list's 8-character hashes. */
  idList(name: string): ReadonlySet<string> | undefined;
  ipToCountry(ip: string): string | null;
  /** The tier of users that carry none. */
  defaultTier: string | null;
  appID: string | null;
};
