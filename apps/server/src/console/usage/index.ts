/** Usage is computed from data of other slices, so it has no kind. */
export const kind = null;

/** The router serves the report as a file. */
export const handlers = {};

export { createUsageStore as createStore } from "./usage-store.ts";
