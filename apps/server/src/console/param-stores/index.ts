import type { SliceOperations } from "../slice.ts";

export { paramStoreHandlers as handlers } from "./param-store-handlers.ts";
export { createParamStoreStore as createStore, paramStoreKind as kind } from "./param-store-store.ts";

export const operations = { create: "createParamStore", read: "getParamStore" } satisfies SliceOperations;
