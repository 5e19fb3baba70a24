import type { SliceOperations } from "../slice.ts";
import { metricHandlers } from "./metric-handlers.ts";
import { valueHandlers } from "./value-handlers.ts";

export { createMetricStore as createStore, metricKind as kind } from "./metric-store.ts";

export const handlers = { ...metricHandlers, ...valueHandlers };

export const operations = { create: "createMetric", read: "getMetric" } satisfies SliceOperations;
