import type { SliceOperations } from "../slice.ts";

export { settingsHandlers as handlers } from "./settings-handlers.ts";
export { createSettingsStore as createStore, settingsKind as kind } from "./settings-store.ts";

export const operations = { create: null, read: "getSettings" } satisfies SliceOperations;
