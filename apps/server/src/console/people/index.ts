import type { SliceOperations } from "../slice.ts";

export { personHandlers as handlers } from "./person-handlers.ts";
export { createPersonStore as createStore, personKind as kind } from "./person-store.ts";

export const operations = { create: null, read: "getPerson" } satisfies SliceOperations;
