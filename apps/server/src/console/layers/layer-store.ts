import { entityStore, type Kind } from "../../store/entity-store.ts";
import type { StoreContext } from "../../store/store-context.ts";
import { createOverridesStore } from "../common/overrides-store.ts";
import type { Window } from "../common/page.ts";
import { type ExperimentsOnLayer, type Layer, namedByLayer } from "./layer.ts";
import { NO_OVERRIDES } from "./layer-overrides.ts";

/** How many of the experiments on a layer are named. */
const NAMED = 10;

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

    /** Newest first. */
    list: (window: Window) => store.list([], window),

    overrides: (layerID: string) => createOverridesStore(context, "layer", layerID, NO_OVERRIDES),

    async listExperimentsOn(layerID: string): Promise<ExperimentsOnLayer> {
      const where = { projectID, layerID };
      const [rows, total] = await Promise.all([
        db.experiment.findMany({ where, take: NAMED, orderBy: { id: "asc" }, select: { id: true } }),
        db.experiment.count({ where }),
      ]);
      return { ids: rows.map(({ id }) => id), total };
    },
  };
}
