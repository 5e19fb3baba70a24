import type { SliceOperations } from "../slice.ts";

export { targetAppHandlers as handlers } from "./target-app-handlers.ts";
export { createTargetAppStore as createStore, targetAppKind as kind } from "./target-app-store.ts";

export const operations = { create: "createTargetApp", read: "getTargetApp" } satisfies SliceOperations;
