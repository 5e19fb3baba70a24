import type { SliceOperations } from "../slice.ts";

export { projectHandlers as handlers } from "./project-handlers.ts";
export { createProjectStore as createStore, projectKind as kind } from "./project-store.ts";

export const operations = { create: "createProject", read: "getProjectByID" } satisfies SliceOperations;
