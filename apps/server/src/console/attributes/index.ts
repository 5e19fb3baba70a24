import type { SliceOperations } from "../slice.ts";

export { attributeHandlers as handlers } from "./attribute-handlers.ts";
export { attributeKind as kind, createAttributeStore as createStore } from "./attribute-store.ts";

export const operations = { create: null, read: "getAttribute" } satisfies SliceOperations;
