import type { SliceOperations } from "../slice.ts";

export { metricSourceHandlers as handlers } from "./metric-source-handlers.ts";
export { createMetricSourceStore as createStore, metricSourceKind as kind } from "./metric-source-store.ts";

export const operations = { create: "createMetricSource", read: "getMetricSource" } satisfies SliceOperations;
