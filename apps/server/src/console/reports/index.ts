/** Reports are made when they are read, so they have no kind. */
export const kind = null;

export { reportHandlers as handlers } from "./report-handlers.ts";
export { createReportStore as createStore } from "./report-store.ts";
