import type { SliceOperations } from "../slice.ts";

export { metricHandlers as handlers } from "./metric-handlers.ts";
export { createMetricStore as createStore, metricKind as kind } from "./metric-store.ts";

export const operations = { create: "createMetric", read: "getMetric" } satisfies SliceOperations;
