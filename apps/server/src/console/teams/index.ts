import type { SliceOperations } from "../slice.ts";

export { teamHandlers as handlers } from "./team-handlers.ts";
export { createTeamStore as createStore, teamKind as kind } from "./team-store.ts";

export const operations = { create: "createTeam", read: "getTeam" } satisfies SliceOperations;
