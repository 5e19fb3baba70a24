/** Events are data and not in the change log, so they have no kind. */
export const kind = null;

export { eventHandlers as handlers } from "./event-handlers.ts";
export { createEventStore as createStore } from "./event-store.ts";
