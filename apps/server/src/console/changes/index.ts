/** Changes are the change log itself, so they have no kind. */
export const kind = null;

export { changeHandlers as handlers } from "./change-handlers.ts";
export { createChangeStore as createStore } from "./change-store.ts";
