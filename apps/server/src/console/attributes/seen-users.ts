/** The columns of an exposure that describe its user. */
export type UserRow = {
  userID: string;
  customIDs: string | null;
  environment: string;
  userFields: string | null;
  time: bigint | number;
};

/** A user as an exposure shows it. */
export type SeenUser = {
  /** Equal for exposures with the same ids. */
  key: string;
  userID: string;
  /** In lower case; empty if it is not known. */
  environment: string;
  /** The fields that were stored: known fields, and `custom`. */
  fields: { custom?: Record<string, unknown>; [field: string]: unknown };
  /** When the exposure happened, ms since the epoch. */
  time: number;
};

export function toSeenUser({ userID, customIDs, environment, userFields, time }: UserRow): SeenUser {
  return {
    key: JSON.stringify([userID, customIDs]),
    userID,
    environment,
    fields: userFields === null ? {} : JSON.parse(userFields),
    time: Number(time),
  };
}
