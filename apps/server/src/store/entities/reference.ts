/** A reference from one entity to another. `place` is its path in the entity: `rules[0].conditions[1].targetValue`. */
export type Reference = { type: string; id: string; place: string };

/** A name that entities have: that of a reference, or of a team, which stands in their `team` as free text. */
export type Name = { type: string; id: string };

/** The `references` to entities that `others` do not reference, one for each entity. */
export function without(references: Reference[], others: Reference[]): Reference[] {
  const seen = new Set(others.map(toKey));
  return references.filter((reference) => {
    const key = toKey(reference);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

const toKey = ({ type, id }: Reference) => `${type} ${id}`;
