type Named = { name: string; displayName?: string; description?: string | null };

/** What lists of entities with a name and a description search and sort by: those of most kinds. */
export const BY_NAME = {
  getName: ({ name }: Named) => name,
  searchTexts: ({ displayName, description }: Named) => [displayName, description],
};
