import type { SliceOperations } from "../slice.ts";

export { autotuneHandlers as handlers } from "./autotune-handlers.ts";
export { autotuneKind as kind, autotuneWeightsKind as weightsKind, createAutotuneStore as createStore } from "./autotune-store.ts";

export const operations = { create: "createAutotune", read: "getAutotune" } satisfies SliceOperations;
