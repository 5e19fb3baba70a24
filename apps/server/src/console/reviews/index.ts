import type { SliceOperations } from "../slice.ts";

export { reviewHandlers as handlers } from "./review-handlers.ts";
export { createReviewStore as createStore, reviewKind as kind } from "./review-store.ts";

export const operations = { create: null, read: "getReview" } satisfies SliceOperations;
