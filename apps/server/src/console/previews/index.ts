/** Previews are computed, and stored nowhere. */
export const kind = null;

export { previewHandlers as handlers } from "./preview-handlers.ts";
