import type { SliceOperations } from "../slice.ts";

export { keyHandlers as handlers } from "./key-handlers.ts";
export { createKeyStore as createStore, keyKind as kind } from "./key-store.ts";

export const operations = { create: "createKey", read: "getKey" } satisfies SliceOperations;
