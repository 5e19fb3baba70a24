import type { SliceOperations } from "../slice.ts";

export { resultNoteHandlers as handlers } from "./result-note-handlers.ts";
export { createResultNoteStore as createStore, resultNoteKind as kind } from "./result-note-store.ts";

export const operations = { create: "createResultNote", read: "getResultNote" } satisfies SliceOperations;
