import { notFound } from "../../errors.ts";
import type { Reference } from "../../reference.ts";
import { entityStore, type Kind } from "../../store/entity-store.ts";
import { matches, name } from "../../store/row.ts";
import type { StoreContext } from "../../store/store-context.ts";
import { title } from "../../store/words.ts";

type Overrides = { version: number; createdTime: number };

/**
 * The overrides of one gate, experiment, holdout or layer: an entity of its own, from the first write on. `none` stands for it before.
 * `references` tells what overrides name.
 */
export function createOverridesStore<E extends Overrides>(
  context: StoreContext,
  ownerType: "experiment" | "gate" | "holdout" | "layer",
  ownerID: string,
  none: E,
  references: (overrides: E) => Reference[] = () => [],
) {
  const kind: Kind<E> = {
    table: "overrides",
    type: `${ownerType}_overrides`,
    scope: { ownerType },
    idColumn: "ownerID",
    idOf: () => ownerID,
    columns: () => ({}),
    references,
  };
  const store = entityStore(context, kind);
  return {
    async get(): Promise<E> {
      return (await store.find(ownerID)) ?? none;
    },

    /** @throws AppError not_found if the owner is gone meanwhile */
    async replace(before: E, after: E): Promise<E> {
      await requireOwner();
      return before.version === 0 ? store.create(after, before) : store.replace(before, after);
    },

    /** With their owner, or when nothing is to be left of them. */
    async delete(): Promise<void> {
      const overrides = await store.find(ownerID);
      if (overrides) await store.delete(overrides);
    },
  };

  /** Holds the owner against deletion until the transaction ends. */
  async function requireOwner(): Promise<void> {
    const { db, projectID } = context;
    const rows = await db.$queryRaw<unknown[]>`
      select 1 from ${name(ownerType)} where ${matches({ projectID, id: ownerID })} for key share`;
    if (rows.length === 0) throw notFound(title(ownerType), ownerID);
  }
}
