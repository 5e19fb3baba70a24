// How changes are undone. Pure.

/** Successive changes of one entity. */
export type Undoable = {
  entityType: string;
  entityID: string;
  /** Undefined for entities that have no name. */
  name: string | undefined;
  count: number;
  deed: "created" | "changed" | "deleted";
  /** The versions that the changes made: the first and the last one. */
  firstVersion: number;
  lastVersion: number;
  /** Whether the entity has not changed since. */
  isLatest: boolean;
  /** Whether only a segment's IDs changed, which versions don't have. */
  isOfIDs: boolean;
};

/** Whether a change is of a segment's IDs alone. Without fields, as many IDs were added as removed. */
export const isOfIDs = (change: {
  entityType: string;
  version: number;
  isDeletion: boolean;
  fields: readonly { field: string }[];
}): boolean =>
  change.entityType === "segment" && change.version > 1 && !change.isDeletion && change.fields.every(({ field }) => field === "count");

/** How to undo changes: the version before them, or why that would lose newer ones. Undefined for a creation. */
export function undoing({ deed, firstVersion, isLatest }: Undoable): { version: number } | { refusal: string } | undefined {
  if (deed === "created") return undefined;
  return isLatest ? { version: firstVersion - 1 } : { refusal: CHANGED_SINCE };
}

/** Why changes can't be undone that others were made after. */
export const CHANGED_SINCE = "Changed again since then. To go back further, restore a version from its history.";
