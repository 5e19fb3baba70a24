import type { Context } from "../../common/context.ts";
import { modified } from "../common/stamp.ts";
import type { Holdout } from "./holdout.ts";

/** The fields of gates, experiments and layers that a holdout reads and writes. */
export type Held = { id: string; holdoutIDs: string[]; version: number };

export type HeldList = "gateIDs" | "experimentIDs" | "layerIDs";

/** The ids that a holdout lists before or after a change, each once. */
export function idsInEither(list: HeldList, before: Holdout | null, after: Holdout | null): string[] {
  return [...new Set([...(before?.[list] ?? []), ...(after?.[list] ?? [])])];
}

/** The entity with the holdout added to its sorted `holdoutIDs`, or removed. Undefined if they stay the same. */
export function held<E extends Held>(entity: E, holdoutID: string, isHeld: boolean, context: Context): E | undefined {
  if (entity.holdoutIDs.includes(holdoutID) === isHeld) return undefined;
  const others = entity.holdoutIDs.filter((id) => id !== holdoutID);
  const holdoutIDs = isHeld ? [...others, holdoutID].sort() : others;
  return { ...entity, holdoutIDs, ...modified(entity, context) };
}
