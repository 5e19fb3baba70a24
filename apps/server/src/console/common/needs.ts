import { isDeepStrictEqual } from "node:util";
import type { Permission } from "@gatehouse/contract";
import type { Switched } from "./switch.ts";

/** The tag that every project has, for its most important entities. */
export const CORE_TAG = "★ Core";

type Tagged = { tags?: string[] };
type WithLifecycle = Tagged & Switched & { isEnabled: boolean; status: string };

/** The permission for a change of an entity with the core tag, or for adding or removing this tag. */
export function needsOfTagged(before: Tagged | null, after: Tagged | null): Permission[] {
  const isCore = [before, after].some((entity) => entity?.tags?.includes(CORE_TAG));
  return isCore ? ["edit_and_tag_configs_with_core_tag"] : [];
}

/** The same, and the permission for enabling, disabling or launching an existing entity, everywhere or in one environment. Archiving is a plain change. */
export function needsOfLifecycle(before: WithLifecycle | null, after: WithLifecycle | null): Permission[] {
  const isTurned = before !== null && after !== null && !isDeepStrictEqual(switches(before), switches(after));
  return [...needsOfTagged(before, after), ...(isTurned ? (["launch_or_disable_configs"] as const) : [])];
}

function switches({ isEnabled, status, disabledEnvironments = [] }: WithLifecycle) {
  return { isEnabled, isLaunched: status === "Launched", disabledEnvironments: disabledEnvironments.toSorted() };
}
