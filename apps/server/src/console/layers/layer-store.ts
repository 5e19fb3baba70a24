import { entityStore, type Kind } from "../../store/entity-store.ts";
import { fromText } from "../../store/entity-text.ts";
import type { StoreContext } from "../../store/store-context.ts";
import { createOverridesStore } from "../common/overrides-store.ts";
import { type Layer, namedByLayer } from "./layer.ts";
import type { ExperimentOnLayer } from "./layer-experiments.ts";
import type { LayerOverrideLists } from "./layer-override-names.ts";
import { NO_OVERRIDES, namedByLayerOverrides } from "./layer-overrides.ts";

const kind: Kind<Layer> = {
  table: "layer",
  type: "layer",
  idOf: ({ id }) => id,
  references: namedByLayer,
  columns: () => ({}),
};

export function createLayerStore(context: StoreContext) {
  const { db, projectID } = context;
  const store = entityStore(context, kind);
  return {
    ...store,

    /** `given` are the lists of the request, which violations are placed in. */
    overrides: (layerID: string, given: LayerOverrideLists = NO_OVERRIDES) =>
      createOverridesStore(context, "layer", layerID, NO_OVERRIDES, (overrides) => namedByLayerOverrides(overrides, given)),

    /** All of them, whatever their state, by id. */
    async listExperimentsOn(layerID: string): Promise<ExperimentOnLayer[]> {
      const rows = await db.$queryRaw<{ entity: string }[]>`
        select entity from experiment where "projectID" = ${projectID} and "layerID" = ${layerID} order by id`;
      return rows.map(({ entity }) => fromText<ExperimentOnLayer>(entity));
    },
  };
}
