import { Prisma } from "../../generated/prisma/client.ts";
import { type DeleteOptions, entityStore } from "../../store/entities/entity-store.ts";
import { filters } from "../../store/entities/filters.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import { createCheckExposureStore } from "../common/check-exposure-store.ts";
import { BY_NAME, BY_OWNER } from "../common/listed.ts";
import { needsOfTagged } from "../common/needs.ts";
import { NO_OVERRIDES } from "../common/override-lists.ts";
import { createOverridesStore, overrideListsKind } from "../common/overrides-store.ts";
import type { Window } from "../common/page.ts";
import { IN_EVERY_ENVIRONMENT } from "../common/parts-elsewhere.ts";
import { createExperimentStore } from "../experiments/experiment-store.ts";
import { createGateStore } from "../gates/gate-store.ts";
import { createLayerStore } from "../layers/layer-store.ts";
import { createResultStore } from "../results/result-store.ts";
import type { NamedKind } from "../slice.ts";
import { type Held, type HeldList, held, idsInEither } from "./holding.ts";
import { type Holdout, namedByHoldout } from "./holdout.ts";

type HoldoutFilter = {
  creatorID?: string | null;
  creatorName?: string | null;
  tags?: string[];
  teamID?: string;
  ownerID?: string;
  isEnabled?: boolean;
};

export const holdoutKind: NamedKind<"holdout", Holdout> = {
  table: "holdout",
  type: "holdout",
  getID: (holdout) => holdout.id,
  references: namedByHoldout,
  columns: {
    ...BY_OWNER,
    creatorID: (holdout) => holdout.creatorID,
    creatorName: (holdout) => holdout.creatorName,
    tags: (holdout) => holdout.tags,
    isEnabled: (holdout) => holdout.isEnabled,
  },
  listing: BY_NAME,
  named: { as: "holdout", check: "exists", isArchived: Prisma.sql`false` },
  ruleset: "holdouts",
  needs: needsOfTagged,
  reach: {
    ...IN_EVERY_ENVIRONMENT,
    // A global holdout holds entities of all apps, and a targeting gate is held by no other global one.
    targetApps: { of: (holdout) => (holdout.isGlobal || holdout.targetingGateID !== null ? [] : holdout.targetApps) },
  },
};

export const holdoutOverridesKind = overrideListsKind("holdout", "holdoutOverrides");

/** The methods of a store that a holdout's writes call. */
type HeldStore<E extends Held> = {
  lockEach(ids: string[]): Promise<E[]>;
  replace(before: E, after: E): Promise<E>;
};

/** Every write also updates the `holdoutIDs` of the entities that the holdout lists, in the same transaction. */
export function createHoldoutStore(deps: StoreDeps) {
  const holdouts = entityStore(deps, holdoutKind);
  const openOverrides = (holdoutID: string) => createOverridesStore(deps, holdoutOverridesKind, holdoutID, NO_OVERRIDES);
  return {
    ...holdouts,

    /** Newest first. */
    list: (filter: HoldoutFilter, window: Window) => holdouts.listWhere(toFilters(filter), window),

    overrides: openOverrides,

    create: (holdout: Holdout) => writeWithHeld(null, holdout, () => holdouts.create(holdout)),
    replace: (before: Holdout, after: Holdout) => writeWithHeld(before, after, () => holdouts.replace(before, after)),

    /**
     * Writes the holdout alone, to list a new entity as held by it.
     * @throws AppError conflict if `before` is outdated
     */
    listCreated: (before: Holdout, after: Holdout) => holdouts.replace(before, after),

    /** Deletes its overrides, exposures and results as well. @throws AppError conflict if `holdout` is outdated or referenced */
    async delete(holdout: Holdout, options?: DeleteOptions): Promise<void> {
      await writeWithHeld(holdout, null, () => holdouts.delete(holdout, options));
      await openOverrides(holdout.id).delete();
      await createCheckExposureStore(deps, "holdout").delete(holdout.id);
      await createResultStore(deps).delete("holdout", holdout.id);
    },
  };

  /**
   * Locks the listed entities, writes the holdout, then writes the entities. Locking first avoids deadlocks: the holdout's check of its
   * references locks the same rows in another order.
   */
  async function writeWithHeld<T>(before: Holdout | null, after: Holdout | null, write: () => Promise<T>): Promise<T> {
    // Layers first, as in writes of experiments.
    const layers = await lock(createLayerStore(deps), "layerIDs", before, after);
    const experiments = await lock(createExperimentStore(deps), "experimentIDs", before, after);
    const gates = await lock(createGateStore(deps), "gateIDs", before, after);
    const written = await write();
    for (const writeHeld of [...layers, ...experiments, ...gates]) await writeHeld();
    return written;
  }

  /** Locks the entities of a list, and returns the writes that update their `holdoutIDs`. */
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
