import type { SliceOperations } from "../slice.ts";

export { alertHandlers as handlers } from "./alert-handlers.ts";
export { alertKind as kind, createAlertStore as createStore } from "./alert-store.ts";

export const operations = { create: "createAlert", read: "getAlert" } satisfies SliceOperations;
