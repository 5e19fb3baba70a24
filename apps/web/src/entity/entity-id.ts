// IDs that the server makes from names, for a preview. Pure.

/** The ID of most kinds: lower case, with each run of spaces as one underscore. */
export const idOfName = (name: string): string => name.toLowerCase().replace(/\s+/g, "_");

/** The ID of a layer: lower case, with each run of characters other than letters and digits as one underscore. */
export const layerIDOfName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, "_");

/** The ID of a segment: its name, if that can be an ID. */
export const segmentIDOfName = (name: string): string => (/^[a-zA-Z0-9_-]+$/.test(name) ? name : idOfName(name));
