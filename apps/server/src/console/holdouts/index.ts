import { merged } from "../merged.ts";
import type { SliceOperations } from "../slice.ts";
import { holdoutHandlers } from "./holdout-handlers.ts";
import { holdoutOverrideHandlers } from "./holdout-override-handlers.ts";

export { createHoldoutStore as createStore, holdoutKind as kind, holdoutOverridesKind as overridesKind } from "./holdout-store.ts";

export const operations = { create: "createHoldout", read: "getHoldout", readOverrides: "getHoldoutOverrides" } satisfies SliceOperations;

export const handlers = merged({ holdoutHandlers, holdoutOverrideHandlers });
