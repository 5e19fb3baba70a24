import type { SliceOperations } from "../slice.ts";

export { qualifyingEventHandlers as handlers } from "./qualifying-event-handlers.ts";
export { createQualifyingEventStore as createStore, qualifyingEventKind as kind } from "./qualifying-event-store.ts";

export const operations = { create: "createQualifyingEvent", read: "getQualifyingEvent" } satisfies SliceOperations;
