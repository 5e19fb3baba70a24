import type { Permission } from "@gatehouse/contract";
import { needsOfTagged } from "../common/needs.ts";
import type { Autotune } from "./autotune.ts";

/** Permissions for a tagged entity, and those for starting, deciding and resetting, in every operation that does it. */
export function needsOfAutotune(before: Autotune | null, after: Autotune | null): Permission[] {
  return [...needsOfTagged(before, after), ...needsOfRun(before, after)];
}

function needsOfRun(before: Autotune | null, after: Autotune | null): Permission[] {
  if (after === null) return [];
  const wasStarted = before?.isStarted ?? false;
  if (wasStarted && !after.isStarted) return ["reset_experiments"];
  const isDecided = after.winner !== null && after.winner.id !== before?.winner?.id;
  return [
    ...(after.isStarted && !wasStarted ? (["start_experiments"] as const) : []),
    ...(isDecided ? (["launch_or_disable_configs"] as const) : []),
  ];
}
