import { Prisma } from "../../generated/prisma/client.ts";
import { type DeleteOptions, entityStore } from "../../store/entity-store.ts";
import { filters } from "../../store/filters.ts";
import type { StoreDeps } from "../../store/store-deps.ts";
import { needsOfTagged } from "../common/needs.ts";
import { NO_OVERRIDES } from "../common/override-lists.ts";
import { createOverridesStore, overrideListsKind } from "../common/overrides-store.ts";
import type { Window } from "../common/page.ts";
import { createExperimentStore } from "../experiments/experiment-store.ts";
import { createGateStore } from "../gates/gate-store.ts";
import { createLayerStore } from "../layers/layer-store.ts";
import type { NamedKind } from "../slice.ts";
import { type Held, type HeldList, held, idsInEither } from "./holding.ts";
import { type Holdout, namedByHoldout } from "./holdout.ts";

type HoldoutFilter = {
  creatorID?: string | null;
  creatorName?: string | null;
  tags?: string[];
};

export const holdoutKind: NamedKind<"holdout", Holdout> = {
  table: "holdout",
  type: "holdout",
  idOf: (holdout) => holdout.id,
  references: namedByHoldout,
  columns: {
    creatorID: (holdout) => holdout.creatorID,
    creatorName: (holdout) => holdout.creatorName,
    tags: (holdout) => holdout.tags,
  },
  named: { as: "holdout", check: "exists", isArchived: Prisma.sql`false` },
  ruleset: "holdouts",
  needs: needsOfTagged,
};

export const holdoutOverridesKind = overrideListsKind("holdout", "holdoutOverrides");

/** The part of a store that entities are held by. */
type HeldStore<E extends Held> = {
  lockEach(ids: string[]): Promise<E[]>;
  replace(before: E, after: E): Promise<E>;
};

/** Every write keeps the `holdoutIDs` of what the holdout lists in step, in the same transaction. */
export function createHoldoutStore(deps: StoreDeps) {
  const holdouts = entityStore(deps, holdoutKind);
  const overridesOf = (holdoutID: string) => createOverridesStore(deps, holdoutOverridesKind, holdoutID, NO_OVERRIDES);
  return {
    ...holdouts,

    /** Newest first. */
    list: (filter: HoldoutFilter, window: Window) => holdouts.listWhere(toFilters(filter), window),

    overrides: overridesOf,

    create: (holdout: Holdout) => rehold(null, holdout, () => holdouts.create(holdout)),
    replace: (before: Holdout, after: Holdout) => rehold(before, after, () => holdouts.replace(before, after)),

    /** With its overrides. @throws AppError conflict if it is no longer the version `holdout`, or something targets it */
    async delete(holdout: Holdout, options?: DeleteOptions): Promise<void> {
      await rehold(holdout, null, () => holdouts.delete(holdout, options));
      await overridesOf(holdout.id).delete();
    },
  };

  /**
   * What is held is locked before the holdout is written, since the write's checks of what it names would else lock the same rows in another
   * order, and written after it.
   */
  async function rehold<T>(before: Holdout | null, after: Holdout | null, write: () => Promise<T>): Promise<T> {
    // Writers of experiments lock the layer first, too.
    const layers = await lock(createLayerStore(deps), "layerIDs", before, after);
    const experiments = await lock(createExperimentStore(deps), "experimentIDs", before, after);
    const gates = await lock(createGateStore(deps), "gateIDs", before, after);
    const written = await write();
    for (const writeHeld of [...layers, ...experiments, ...gates]) await writeHeld();
    return written;
  }

  /** The writes that bring what the list names into step. */
  async function lock<E extends Held>(store: HeldStore<E>, list: HeldList, before: Holdout | null, after: Holdout | null) {
    const { id } = (after ?? before) as Holdout;
    const ids = idsInEither(list, before, after);
    const entities = ids.length === 0 ? [] : await store.lockEach(ids);
    return entities.flatMap((entity) => {
      const changed = held(entity, id, after?.[list].includes(entity.id) ?? false, deps.by);
      return changed ? [() => store.replace(entity, changed)] : [];
    });
  }
}

function toFilters({ tags, ...columns }: HoldoutFilter): Prisma.Sql[] {
  return [...filters.equal(columns), ...filters.holding({ tags })];
}
