/** The audit log is the change log itself, so it has no kind. */
export const kind = null;

export { auditLogHandlers as handlers } from "./audit-log-handlers.ts";
export { createAuditLogStore as createStore } from "./audit-log-store.ts";
