/** An invitation is a one-time token, which is no entity. What it gives is in the change log, as a member. */
export const kind = null;

export { invitationHandlers as handlers } from "./invitation-handlers.ts";
export { createInvitationStore as createStore } from "./invitation-store.ts";
