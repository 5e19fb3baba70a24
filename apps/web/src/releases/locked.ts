/** The description of the rules of an entity whose last change is being released. */
export const RELEASED_RULES = "These rules are being released. Users who don’t match a phase that has begun still get the previous rules.";

/** Why the released parts of an entity can't be changed; undefined if they can. The server refuses such changes too. */
export const releaseLock = ({ activeRelease }: { activeRelease?: object }): string | undefined =>
  activeRelease === undefined ? undefined : "A release is in progress. Complete or abort it first.";
