import type { SliceOperations } from "../slice.ts";

export { dynamicConfigHandlers as handlers } from "./dynamic-config-handlers.ts";
export { createDynamicConfigStore as createStore, dynamicConfigKind as kind } from "./dynamic-config-store.ts";

export const operations = { create: "createDynamicConfig", read: "getDynamicConfig" } satisfies SliceOperations;
