import type { SliceOperations } from "../slice.ts";

export { roleHandlers as handlers } from "./role-handlers.ts";
export { createRoleStore as createStore, roleKind as kind } from "./role-store.ts";

export const operations = { create: "createRole", read: "getRole" } satisfies SliceOperations;
