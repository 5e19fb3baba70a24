/** Loads and what they found out are data, like events, so they have no kind. */
export const kind = null;

export { resultHandlers as handlers } from "./result-handlers.ts";
export { createResultStore as createStore } from "./result-store.ts";
