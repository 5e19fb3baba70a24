import type { SliceOperations } from "../slice.ts";

export { assignmentSourceHandlers as handlers } from "./assignment-source-handlers.ts";
export { assignmentSourceKind as kind, createAssignmentSourceStore as createStore } from "./assignment-source-store.ts";

export const operations = { create: "createAssignmentSource", read: "getAssignmentSource" } satisfies SliceOperations;
