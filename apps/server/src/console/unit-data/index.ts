/** The data of units belongs to other slices, so it has no kind. */
export const kind = null;

export { unitDataHandlers as handlers } from "./unit-data-handlers.ts";
export { createUnitDataStore as createStore } from "./unit-data-store.ts";
