/** A configuration is a view of entities, so it has no kind. */
export const kind = null;

export { configurationHandlers as handlers } from "./configuration-handlers.ts";
export { createConfigurationStore as createStore } from "./configuration-store.ts";
