import type { Context } from "../../common/context.ts";
import type { Name } from "../reference.ts";
import type { Stores } from "../stores.ts";
import { putAt } from "./put-at.ts";
import { modified } from "./stamp.ts";

/**
 * Replaces the old name of a tag, target app or team in every entity that has it, archived ones included. Each gets a new version. Call it
 * after writing the tag or app itself: concurrent requests that reference it wait for that row, so all are found. Names of teams are not
 * references, so one that is written at the same time stays.
 */
export async function renameEverywhere({ ofKinds }: Pick<Stores, "ofKinds">, from: Name, name: string, context: Context): Promise<void> {
  if (name === from.id) return;
  for (const store of ofKinds) {
    for (const { entity, places } of await store.listNaming(from)) {
      const renamed = places.reduce((changed, place) => putAt(changed, place, name), entity);
      await store.replace(entity, { ...renamed, ...modified(entity, context) });
    }
  }
}
