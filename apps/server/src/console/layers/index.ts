import { merged } from "../merged.ts";
import type { SliceOperations } from "../slice.ts";
import { layerHandlers } from "./layer-handlers.ts";
import { layerOverrideHandlers } from "./layer-override-handlers.ts";

export { createLayerStore as createStore, layerKind as kind, layerOverridesKind as overridesKind } from "./layer-store.ts";

export const operations = { create: "createLayer", read: "getLayer", readOverrides: "getLayerOverrides" } satisfies SliceOperations;

export const handlers = merged({ layerHandlers, layerOverrideHandlers });
