/** Sessions are not entities. The audit log of the instance records their beginning and end as events. */
export const kind = null;

export { personSessionHandlers as handlers } from "./person-session-handlers.ts";
export { createPersonSessionStore as createStore } from "./person-session-store.ts";
