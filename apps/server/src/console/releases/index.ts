import type { SliceOperations } from "../slice.ts";

export { releaseHandlers as handlers } from "./release-handlers.ts";
export { createReleaseStore as createStore, releaseKind as kind } from "./release-store.ts";

export const operations = { create: null, read: "getRelease" } satisfies SliceOperations;
