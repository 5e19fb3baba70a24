import type { SliceOperations } from "../slice.ts";

export { scheduledChangeHandlers as handlers } from "./scheduled-change-handlers.ts";
export { createScheduledChangeStore as createStore, scheduledChangeKind as kind } from "./scheduled-change-store.ts";

export const operations = { create: null, read: "getScheduledChange" } satisfies SliceOperations;
