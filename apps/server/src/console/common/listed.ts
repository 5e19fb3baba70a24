type Named = { name: string; displayName?: string; description?: string | null };

/** Lists of entities with a name and a description search and sort by these fields. Most kinds use it. */
export const BY_NAME = {
  getName: ({ name }: Named) => name,
  searchTexts: ({ displayName, description }: Named) => [displayName, description],
};
