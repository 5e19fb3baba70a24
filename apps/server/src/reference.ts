import type { ReferableType } from "./console/slices.ts";

export type { ReferableType };

/** That an entity names another. `place` is where, as a path in its body: `rules[0].conditions[1].targetValue`. */
export type Reference = { type: ReferableType; id: string; place: string };

/** A name that entities have: that of a reference, or of a team, which stands in their `team` as free text. */
export type Name = { type: ReferableType | "team name"; id: string };

/** Those of `references` that `others` do not have, each named entity once. */
export function without(references: Reference[], others: Reference[]): Reference[] {
  const seen = new Set(others.map(keyOf));
  return references.filter((reference) => {
    const key = keyOf(reference);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

const keyOf = ({ type, id }: Reference) => `${type} ${id}`;
