/** Counts of exposures are data, so they have no kind. */
export const kind = null;

export { exposureCountHandlers as handlers } from "./exposure-count-handlers.ts";
export { createExposureCountStore as createStore } from "./exposure-count-store.ts";
