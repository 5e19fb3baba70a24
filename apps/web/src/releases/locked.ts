/** Why the released parts of an entity can't be changed; undefined if they can. The server refuses such changes too. */
export const releaseLock = ({ activeRelease }: { activeRelease?: object }): string | undefined =>
  activeRelease === undefined ? undefined : "A release is in progress. Complete or abort it first.";
