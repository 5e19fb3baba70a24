/** Events are data, and of no kind that the change log knows. */
export const kind = null;

export { eventHandlers as handlers } from "./event-handlers.ts";
export { createEventStore as createStore } from "./event-store.ts";
