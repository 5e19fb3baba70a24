import type { Context } from "../../context.ts";
import { modified } from "../common/stamp.ts";
import type { Holdout } from "./holdout.ts";

/** What a gate, an experiment and a layer have in common for a holdout. */
export type Held = { id: string; holdoutIDs: string[]; version: number };

export type HeldList = "gateIDs" | "experimentIDs" | "layerIDs";

/** The ids that either state of a holdout lists, each once. */
export function idsInEither(list: HeldList, before: Holdout | null, after: Holdout | null): string[] {
  return [...new Set([...(before?.[list] ?? []), ...(after?.[list] ?? [])])];
}

/** The entity with `holdoutIDs`, which are sorted, naming the holdout or not. Undefined if they do so already. */
export function held<E extends Held>(entity: E, holdoutID: string, isHeld: boolean, context: Context): E | undefined {
  if (entity.holdoutIDs.includes(holdoutID) === isHeld) return undefined;
  const others = entity.holdoutIDs.filter((id) => id !== holdoutID);
  const holdoutIDs = isHeld ? [...others, holdoutID].sort() : others;
  return { ...entity, holdoutIDs, ...modified(entity, context) };
}
