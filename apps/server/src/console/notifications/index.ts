/** Notifications are data of a person, so they have no kind. */
export const kind = null;

/** They belong to the caller's session, so `accounts/` serves them. */
export const handlers = {};

export { createNotificationStore as createStore } from "./notification-store.ts";
