import { merged } from "../merged.ts";
import type { SliceOperations } from "../slice.ts";
import { segmentHandlers } from "./segment-handlers.ts";
import { segmentIDHandlers } from "./segment-id-handlers.ts";

export { createSegmentStore as createStore, segmentKind as kind } from "./segment-store.ts";

export const operations = { create: "createSegment", read: "getSegment" } satisfies SliceOperations;

export const handlers = merged({ segmentHandlers, segmentIDHandlers });
