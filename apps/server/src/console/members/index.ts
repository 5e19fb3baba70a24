import type { SliceOperations } from "../slice.ts";

export { memberHandlers as handlers } from "./member-handlers.ts";
export { createMemberStore as createStore, memberKind as kind } from "./member-store.ts";

export const operations = { create: null, read: "getUser" } satisfies SliceOperations;
