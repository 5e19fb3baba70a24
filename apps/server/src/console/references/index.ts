/** References are an index of the names in entities, so they have no kind. */
export const kind = null;

export { referenceHandlers as handlers } from "./reference-handlers.ts";
export { createReferenceStore as createStore } from "./reference-store.ts";
