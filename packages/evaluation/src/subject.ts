import type { User } from "./user.ts";

/** A user, with values that are computed once per evaluation. */
export type Subject = {
  readonly user: User;
  /** The user's custom ids by their names in lower case. Null until the first case-insensitive look-up. */
  idsInLowerCase: Map<string, unknown> | null;
};

export function toSubject(user: User): Subject {
  return { user, idsInLowerCase: null };
}

/** The custom id with a name, ignoring case. The first one if several match. */
export function idInAnyCase(subject: Subject, lower: string): unknown {
  subject.idsInLowerCase ??= indexed(subject.user.customIDs ?? {});
  return subject.idsInLowerCase.get(lower);
}

function indexed(ids: Record<string, unknown>): Map<string, unknown> {
  const index = new Map<string, unknown>();
  for (const name of Object.keys(ids)) {
    const lower = name.toLowerCase();
    if (!index.has(lower)) index.set(lower, ids[name]);
  }
  return index;
}
