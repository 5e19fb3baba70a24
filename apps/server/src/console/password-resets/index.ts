/** A password reset is a one-time token, which is no entity. It is in the change log as a change of its person. */
export const kind = null;

export { passwordResetHandlers as handlers } from "./password-reset-handlers.ts";
export { createPasswordResetStore as createStore } from "./password-reset-store.ts";
