// IDs that the server makes from names, for a preview. Pure.

/** Nouns of kinds whose names can't have periods. */
const WITHOUT_PERIODS: ReadonlySet<string> = new Set(["autotune", "experiment", "holdout", "layer", "segment"]);

/** Why the server would refuse a name that becomes an ID, for its characters; undefined if it has only allowed ones. */
export function nameFault(noun: string, name: string): string | undefined {
  if (WITHOUT_PERIODS.has(noun))
    return /^[a-z0-9_\- ]*$/i.test(name.trim()) ? undefined : "Use only letters from a to z, digits, spaces, underscores, and hyphens.";
  return /^[a-z0-9_\-. ]*$/i.test(name.trim())
    ? undefined
    : "Use only letters from a to z, digits, spaces, underscores, hyphens, and periods.";
}

/** The ID of most kinds: lower case, with each run of spaces as one underscore. */
export const idOfName = (name: string): string => name.toLowerCase().replace(/\s+/g, "_");

/** The ID of a layer: lower case, with each run of characters other than letters and digits as one underscore. */
export const layerIDOfName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, "_");

/** The ID of a segment: its name, if that can be an ID. */
export const segmentIDOfName = (name: string): string => (/^[a-zA-Z0-9_-]+$/.test(name) ? name : idOfName(name));
