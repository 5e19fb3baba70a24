/** A password reset is a one-time token and not an entity. The change log records it as a change of its person. */
export const kind = null;

export { passwordResetHandlers as handlers } from "./password-reset-handlers.ts";
export { createPasswordResetStore as createStore } from "./password-reset-store.ts";
