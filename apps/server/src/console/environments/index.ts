import type { SliceOperations } from "../slice.ts";

export { environmentHandlers as handlers } from "./environment-handlers.ts";
export { createEnvironmentStore as createStore, environmentSetKind as kind } from "./environment-store.ts";

export const operations = { create: null, read: "getEnvironments" } satisfies SliceOperations;
