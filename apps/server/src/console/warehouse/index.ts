import type { SliceOperations } from "../slice.ts";

export { warehouseHandlers as handlers } from "./warehouse-handlers.ts";
export { createWarehouseStore as createStore, warehouseKind as kind } from "./warehouse-store.ts";

export const operations = { create: null, read: "getWarehouseConnection" } satisfies SliceOperations;
