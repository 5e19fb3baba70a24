import type { Permission } from "@gatehouse/contract";
import { needsOfLifecycle } from "../common/needs.ts";
import type { DynamicConfig } from "./dynamic-config.ts";

/** The permissions for entities with a life cycle, and one for a change of the schema. */
export function needsOfDynamicConfig(before: DynamicConfig | null, after: DynamicConfig | null): Permission[] {
  const isOfOtherSchema = after !== null && JSON.stringify(before?.schema ?? null) !== JSON.stringify(after.schema);
  return [...needsOfLifecycle(before, after), ...(isOfOtherSchema ? (["edit_dynamic_config_schemas"] as const) : [])];
}
