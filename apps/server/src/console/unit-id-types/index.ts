import type { SliceOperations } from "../slice.ts";

export { unitIDTypeHandlers as handlers } from "./unit-id-type-handlers.ts";
export { createUnitIDTypeStore as createStore, unitIDTypeKind as kind } from "./unit-id-type-store.ts";

export const operations = { create: "createUnitIDType", read: "getUnitIDType" } satisfies SliceOperations;
