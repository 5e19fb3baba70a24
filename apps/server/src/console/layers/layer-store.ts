import { Prisma } from "../../generated/prisma/client.ts";
import { fromText } from "../../store/change-log/entity-text.ts";
import { type DeleteOptions, entityStore } from "../../store/entities/entity-store.ts";
import { filters } from "../../store/entities/filters.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import { BY_NAME, BY_OWNER } from "../common/listed.ts";
import { needsOfTagged } from "../common/needs.ts";
import { createOverridesStore, ofOwner } from "../common/overrides-store.ts";
import type { Window } from "../common/page.ts";
import { IN_EVERY_ENVIRONMENT } from "../common/parts-elsewhere.ts";
import type { NamedKind, OverridesKind } from "../slice.ts";
import { type Layer, namedByLayer } from "./layer.ts";
import type { ExperimentOnLayer } from "./layer-experiments.ts";
import type { LayerOverrideLists } from "./layer-override-names.ts";
import { type LayerOverrides, NO_OVERRIDES, namedByLayerOverrides } from "./layer-overrides.ts";
import { reachOfLayerOverrides } from "./layer-reach.ts";

export const layerKind: NamedKind<"layer", Layer> = {
  table: "layer",
  type: "layer",
  getID: (layer) => layer.id,
  references: namedByLayer,
  columns: BY_OWNER,
  listing: BY_NAME,
  named: { as: "layer", check: "exists", isArchived: Prisma.sql`false` },
  ruleset: "layers",
  needs: needsOfTagged,
  reach: IN_EVERY_ENVIRONMENT,
};

export const layerOverridesKind: OverridesKind<LayerOverrides, "layer_overrides"> = {
  ...ofOwner("layer"),
  references: (overrides) => namedByLayerOverrides(overrides, overrides),
  ruleset: "layerOverrides",
  needs: null,
  reach: reachOfLayerOverrides,
};

export function createLayerStore(deps: StoreDeps) {
  const { db, projectID } = deps;
  const store = entityStore(deps, layerKind);
  const openOverrides = (layerID: string, given: LayerOverrideLists = NO_OVERRIDES) => {
    const references = (overrides: LayerOverrides) => namedByLayerOverrides(overrides, given);
    return createOverridesStore(deps, { ...layerOverridesKind, references }, layerID, NO_OVERRIDES);
  };
  return {
    ...store,

    /** Newest first. */
    list: (filter: { teamID?: string; ownerID?: string }, window: Window) => store.listWhere(filters.equal(filter), window),

    /** Deletes its overrides as well. @throws AppError conflict if `layer` is outdated, or something references it */
    async delete(layer: Layer, options?: DeleteOptions): Promise<void> {
      await store.delete(layer, options);
      await openOverrides(layer.id).delete();
    },

    /** `given` are the lists of the request, and places of violations refer to them. */
    overrides: openOverrides,

    /** All experiments on the layer, in any state, sorted by id. */
    async listExperimentsOn(layerID: string): Promise<ExperimentOnLayer[]> {
      const rows = await db.$queryRaw<{ entity: string }[]>`
        select entity from experiment where "projectID" = ${projectID} and "layerID" = ${layerID} order by id`;
      return rows.map(({ entity }) => fromText<ExperimentOnLayer>(entity));
    },
  };
}
