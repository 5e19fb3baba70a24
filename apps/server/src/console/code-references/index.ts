/** Code references are data of a repository, so they have no kind. */
export const kind = null;

export { codeReferenceHandlers as handlers } from "./code-reference-handlers.ts";
export { createCodeReferenceStore as createStore } from "./code-reference-store.ts";
