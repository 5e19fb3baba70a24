import type { Context } from "../../context.ts";
import type { ReferableType } from "../../reference.ts";
import type { Stores } from "../../stores.ts";
import { putAt } from "./put-at.ts";
import { modified } from "./stamp.ts";

type Name = { type: ReferableType; id: string };

/**
 * Replaces the old name of a tag or target app in every entity that references it, archived ones included. Each gets a new version. Call it
 * after writing the tag or app itself: concurrent requests that reference it wait for that row, so none is missed.
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
