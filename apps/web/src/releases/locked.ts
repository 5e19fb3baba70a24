/** For the rules of an entity whose last change is being released. */
export const RELEASED_RULES = "These rules are being released. Users outside the phases that have begun still get the earlier ones.";

/** Why the released parts of an entity can't be changed; undefined if they can. The server refuses such changes too. */
export const releaseLock = ({ activeRelease }: { activeRelease?: object }): string | undefined =>
  activeRelease === undefined ? undefined : "A release is in progress. Complete or abort it first.";
