import type { Context } from "../../context.ts";
import type { ReferableType } from "../../reference.ts";
import { putAt } from "./put-at.ts";
import { modified } from "./stamp.ts";

type Versioned = { version: number };
type Name = { type: ReferableType; id: string };

/** The part of a store by which a new name comes into what it keeps. */
type NamingStore = {
  listNaming(to: Name): Promise<{ entity: Versioned; places: string[] }[]>;
  replace(before: Versioned, after: Versioned): Promise<unknown>;
};

/**
 * Gives everything that names a tag or a target app its new name, archived things too, each as a new version of its own. The tag or app
 * itself was written before: requests that name it wait for that, so that none is missed.
 */
export async function renameEverywhere(stores: object, from: Name, name: string, context: Context): Promise<void> {
  if (name === from.id) return;
  for (const store of Object.values(stores as Record<string, object>).filter(isNamingStore)) {
    for (const { entity, places } of await store.listNaming(from)) {
      const renamed = places.reduce((changed, place) => putAt(changed, place, name), entity);
      await store.replace(entity, { ...renamed, ...modified(entity, context) });
    }
  }
}

/** The stores of what names others: all that are made by `entityStore`. */
function isNamingStore(store: object): store is NamingStore {
  return "listNaming" in store && "replace" in store;
}
