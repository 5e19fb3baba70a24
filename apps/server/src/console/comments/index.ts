import type { SliceOperations } from "../slice.ts";

export { commentHandlers as handlers } from "./comment-handlers.ts";
export { commentKind as kind, createCommentStore as createStore } from "./comment-store.ts";

export const operations = { create: "createComment", read: "getComment" } satisfies SliceOperations;
