import type { SliceOperations } from "../slice.ts";

export { entityPropertySourceHandlers as handlers } from "./entity-property-source-handlers.ts";
export { createEntityPropertySourceStore as createStore, entityPropertySourceKind as kind } from "./entity-property-source-store.ts";

export const operations = { create: "createEntityPropertySource", read: "getEntityPropertySource" } satisfies SliceOperations;
