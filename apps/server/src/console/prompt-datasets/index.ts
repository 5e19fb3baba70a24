import type { SliceOperations } from "../slice.ts";

export { promptDatasetHandlers as handlers } from "./prompt-dataset-handlers.ts";
export { createPromptDatasetStore as createStore, promptDatasetKind as kind } from "./prompt-dataset-store.ts";

export const operations = { create: "createPromptDataset", read: "getPromptDataset" } satisfies SliceOperations;
