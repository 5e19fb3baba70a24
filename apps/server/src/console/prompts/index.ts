import type { SliceOperations } from "../slice.ts";

export { promptHandlers as handlers } from "./prompt-handlers.ts";
export { createPromptStore as createStore, promptKind as kind } from "./prompt-store.ts";

export const operations = { create: "createPrompt", read: "getPrompt" } satisfies SliceOperations;
