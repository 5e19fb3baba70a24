/** A user as an exposure shows it. */
export type RecentUser = {
  userID: string;
  /** Other units by unit ID type. */
  customIDs: Record<string, string>;
  /** The environment of the evaluation, in lower case; empty if it is not known. */
  environment: string;
  /** The fields that were kept (`toUserFields`): known fields, and `custom`. */
  fields: { custom?: Record<string, unknown>; [field: string]: unknown };
};

/** The columns of an exposure that identify the user. */
export type UserRow = { userID: string; customIDs: string | null; environment: string; userFields: string | null };

/** The most exposures that one call reads. It returns the users found up to then. */
export const MAX_READ_EXPOSURES = 200_000;
/** The most characters of users that one call returns. */
export const MAX_LENGTH = 16 * 2 ** 20;

export function toUser({ userID, customIDs, environment, userFields }: UserRow): RecentUser {
  return {
    userID,
    customIDs: customIDs === null ? {} : JSON.parse(customIDs),
    environment,
    fields: userFields === null ? {} : JSON.parse(userFields),
  };
}
