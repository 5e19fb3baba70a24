import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import type { Context } from "../../context.ts";
import { conflict } from "../../errors.ts";
import type { Reference } from "../../reference.ts";
import { namedLabels } from "../common/named.ts";
import { created } from "../common/stamp.ts";

export type Layer = Schema<"Layer">;
type LayerCreate = WritableSchema<"LayerCreate">;

/** The experiments on a layer: how many there are, and the ids of the first of them. */
export type ExperimentsOnLayer = { ids: string[]; total: number };

const DEFAULTS = {
  description: "",
  targetApps: [],
  holdoutIDs: [],
  tags: [],
  team: null,
  isImplicitLayer: false,
  parameters: [],
} satisfies Partial<Layer>;

/** A layer without parameters. */
export function newLayer(given: LayerCreate, context: Context): Layer {
  return { id: layerIdentifier(given.name), ...DEFAULTS, ...created(context), ...given };
}

/** What the layer names. */
export function namedByLayer(layer: Layer): Reference[] {
  return namedLabels(layer);
}

/** A layer's id is its name in lower case, with each run of characters other than letters and digits as one underscore. */
export function layerIdentifier(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, "_");
}

/** @throws AppError conflict if experiments are still on the layer */
export function requireNoExperiments(layer: Layer, { ids, total }: ExperimentsOnLayer): void {
  if (total === 0) return;
  const more = total - ids.length;
  const named = `${ids.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  throw conflict(`Layer ${layer.id} cannot be deleted with experiments still on it. They are: ${named}.`);
}
