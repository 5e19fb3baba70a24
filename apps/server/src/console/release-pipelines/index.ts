import type { SliceOperations } from "../slice.ts";

export { releasePipelineHandlers as handlers } from "./release-pipeline-handlers.ts";
export { createReleasePipelineStore as createStore, releasePipelineKind as kind } from "./release-pipeline-store.ts";

export const operations = { create: "createReleasePipeline", read: "getReleasePipeline" } satisfies SliceOperations;
