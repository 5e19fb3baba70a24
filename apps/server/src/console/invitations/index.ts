/** An invitation is a one-time token and not an entity. The resulting member is in the change log. */
export const kind = null;

export { invitationHandlers as handlers } from "./invitation-handlers.ts";
export { createInvitationStore as createStore } from "./invitation-store.ts";
