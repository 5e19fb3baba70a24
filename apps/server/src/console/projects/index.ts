/** A project is what everything else belongs to, and is not in its own change log, so it has no kind. */
export const kind = null;

export { projectHandlers as handlers } from "./project-handlers.ts";
export { createProjectStore as createStore } from "./project-store.ts";
