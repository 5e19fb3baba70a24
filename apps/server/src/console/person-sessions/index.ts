/** A session is no entity. The audit log of the instance has its beginning and its end as events. */
export const kind = null;

export { personSessionHandlers as handlers } from "./person-session-handlers.ts";
export { createPersonSessionStore as createStore } from "./person-session-store.ts";
