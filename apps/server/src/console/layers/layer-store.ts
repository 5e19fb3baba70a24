import { notFound } from "../../errors.ts";
import { fromText, toText } from "../../store/entity-text.ts";
import type { StoreContext } from "../../store/store-context.ts";
import type { Window } from "../common/page.ts";
import type { ExperimentsOnLayer, Layer } from "./layer.ts";
import { type LayerOverrides, NO_OVERRIDES } from "./layer-overrides.ts";

/** How many of the experiments on a layer are named. */
const NAMED = 10;

/** A layer and its overrides are two entities with versions of their own that begin and end together. */
export function createLayerStore({ db, projectID, log }: StoreContext) {
  const subject = (id: string) => ({ table: "layer", key: { projectID, id }, type: "layer", id }) as const;
  const overridesSubject = (layerID: string) =>
    ({ table: "layer_overrides", key: { projectID, layerID }, type: "layer_overrides", id: layerID }) as const;
  return {
    /** Newest first. */
    async list(window: Window): Promise<{ layers: Layer[]; total: number }> {
      const where = { projectID };
      const [rows, total] = await Promise.all([
        db.layer.findMany({ where, ...window, orderBy: [{ createdTime: "desc" }, { id: "asc" }], select: { entity: true } }),
        db.layer.count({ where }),
      ]);
      return { layers: rows.map(toLayer), total };
    },

    /** @throws AppError not_found */
    async get(id: string): Promise<Layer> {
      const row = await db.layer.findUnique({ where: { projectID_id: { projectID, id } }, select: { entity: true } });
      if (!row) throw notFound("Layer", id);
      return toLayer(row);
    },

    /** @throws AppError not_found */
    async getOverrides(layerID: string): Promise<LayerOverrides> {
      const row = await db.layerOverrides.findUnique({ where: { projectID_layerID: { projectID, layerID } }, select: { entity: true } });
      if (!row) throw notFound("Layer", layerID);
      return fromText(row.entity);
    },

    async listExperimentsOn(layerID: string): Promise<ExperimentsOnLayer> {
      const where = { projectID, layerID };
      const [rows, total] = await Promise.all([
        db.experiment.findMany({ where, take: NAMED, orderBy: { id: "asc" }, select: { id: true } }),
        db.experiment.count({ where }),
      ]);
      return { ids: rows.map(({ id }) => id), total };
    },

    async create(layer: Layer): Promise<Layer> {
      await log.create(subject(layer.id), layer, toColumns(layer));
      await log.create(overridesSubject(layer.id), NO_OVERRIDES, toOverridesColumns(NO_OVERRIDES));
      return layer;
    },

    replaceOverrides: (layerID: string, before: LayerOverrides, after: LayerOverrides) =>
      log.replace(overridesSubject(layerID), before, after, toOverridesColumns(after)),

    async delete(layer: Layer, overrides: LayerOverrides): Promise<void> {
      await log.delete(subject(layer.id), layer);
      await log.delete(overridesSubject(layer.id), overrides);
    },
  };
}

function toLayer({ entity }: { entity: string }): Layer {
  return fromText(entity);
}

function toColumns(layer: Layer) {
  return { version: layer.version, createdTime: layer.createdTime, entity: toText(layer) };
}

function toOverridesColumns(overrides: LayerOverrides) {
  return { version: overrides.version, entity: toText(overrides) };
}
