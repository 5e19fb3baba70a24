import type { SliceOperations } from "../slice.ts";

export { modelEndpointHandlers as handlers } from "./model-endpoint-handlers.ts";
export { createModelEndpointStore as createStore, modelEndpointKind as kind } from "./model-endpoint-store.ts";

export const operations = { create: null, read: "getModelEndpoint" } satisfies SliceOperations;
