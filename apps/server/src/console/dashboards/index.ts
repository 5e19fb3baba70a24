import type { SliceOperations } from "../slice.ts";

export { dashboardHandlers as handlers } from "./dashboard-handlers.ts";
export { createDashboardStore as createStore, dashboardKind as kind } from "./dashboard-store.ts";

export const operations = { create: "createDashboard", read: "getDashboard" } satisfies SliceOperations;
