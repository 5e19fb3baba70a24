import type { SliceOperations } from "../slice.ts";
import { ingestionSourceHandlers } from "./ingestion-source-handlers.ts";
import { reportHandlers } from "./report-handlers.ts";
import { runHandlers } from "./run-handlers.ts";

export { createIngestionSourceStore as createStore, ingestionSourceKind as kind } from "./ingestion-source-store.ts";

export const handlers = { ...ingestionSourceHandlers, ...runHandlers, ...reportHandlers };
export const operations = { create: "createIngestionSource", read: "getIngestionSource" } satisfies SliceOperations;
