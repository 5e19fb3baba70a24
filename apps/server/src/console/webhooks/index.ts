import type { SliceOperations } from "../slice.ts";

export { webhookHandlers as handlers } from "./webhook-handlers.ts";
export { createWebhookStore as createStore, webhookKind as kind } from "./webhook-store.ts";

export const operations = { create: "createWebhook", read: "getWebhook" } satisfies SliceOperations;
