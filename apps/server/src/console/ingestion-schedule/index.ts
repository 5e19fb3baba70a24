import type { SliceOperations } from "../slice.ts";

export { ingestionScheduleHandlers as handlers } from "./ingestion-schedule-handlers.ts";
export { createIngestionScheduleStore as createStore, ingestionScheduleKind as kind } from "./ingestion-schedule-store.ts";

export const operations = { create: null, read: "getIngestionSchedule" } satisfies SliceOperations;
