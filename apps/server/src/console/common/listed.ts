type Named = { name: string; displayName?: string; description?: string | null };

/** Lists of entities with a name and a description search and sort by these fields. Most kinds use it. */
export const BY_NAME = {
  getName: ({ name }: Named) => name,
  searchTexts: ({ displayName, description }: Named) => [displayName, description],
};

/** The columns of the team and the owner, by which lists filter. */
export const BY_OWNER = {
  teamID: ({ teamID }: { teamID?: string | null }): string | null => teamID ?? null,
  ownerID: ({ owner }: { owner?: { ownerID?: string } | null }): string | null => owner?.ownerID ?? null,
};

/** The team, the owner and the tags, which lists filter by. */
export const BY_LABELS = { ...BY_OWNER, tags: ({ tags = [] }: { tags?: string[] }): string[] => tags };
