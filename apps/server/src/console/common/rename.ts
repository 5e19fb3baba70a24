import type { Context } from "../../context.ts";
import type { ReferableType } from "../../reference.ts";
import type { Stores } from "../../stores.ts";
import { putAt } from "./put-at.ts";
import { modified } from "./stamp.ts";

type Name = { type: ReferableType; id: string };

/**
 * Gives everything that names a tag or a target app its new name, archived things too, each as a new version of its own. The tag or app
 * itself was written before: requests that name it wait for that, so that none is missed.
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
