import type { SliceOperations } from "../slice.ts";

export { tagHandlers as handlers } from "./tag-handlers.ts";
export { createTagStore as createStore, tagKind as kind } from "./tag-store.ts";

export const operations = { create: "createTag", read: "getTag" } satisfies SliceOperations;
