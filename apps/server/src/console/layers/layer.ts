import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import type { Context } from "../../context.ts";
import { conflict, invalid, type Violation } from "../../errors.ts";
import { enumerate } from "../common/enumerate.ts";
import { created, modified } from "../common/stamp.ts";
import { checkParameters, checkUse, type ParameterUser } from "./layer-parameters.ts";

export type Layer = Schema<"Layer">;
type LayerCreate = WritableSchema<"LayerCreate">;
type LayerPatch = WritableSchema<"LayerPatch">;

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

/** A layer without experiments. @throws AppError invalid_request naming every violation under `parameters` */
export function newLayer(given: LayerCreate, context: Context): Layer {
  const layer = { id: layerIdentifier(given.name), ...DEFAULTS, ...created(context), ...given };
  const violations: Violation[] = [];
  checkParameters(layer.parameters, violations);
  if (violations.length > 0) throw invalid(violations);
  return layer;
}

/**
 * The layer with the given fields changed. `users` are the experiments on it that are not archived: what they depend on stays.
 * @throws AppError invalid_request naming every violation
 */
export function changeLayer(layer: Layer, given: LayerPatch, users: ParameterUser[], context: Context): Layer {
  const changed = { ...layer, ...given, ...modified(layer, context) };
  const violations: Violation[] = [];
  if (changed.idType !== layer.idType && users.length > 0) {
    const errorMessage = `must stay ${layer.idType} while experiments are on the layer: ${enumerate(users.map(({ id }) => id))}`;
    violations.push({ property: "idType", errorMessage });
  }
  checkParameters(changed.parameters, violations);
  checkUse(layer.parameters, changed.parameters, users, violations);
  if (violations.length > 0) throw invalid(violations);
  return changed;
}

/** A layer's id is its name in lower case, with each run of characters other than letters and digits as one underscore. */
export function layerIdentifier(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, "_");
}

/** @throws AppError conflict if experiments are still on the layer */
export function requireNoExperiments(layer: Layer, { ids, total }: ExperimentsOnLayer): void {
  if (total === 0) return;
  throw conflict(`Layer ${layer.id} cannot be deleted with experiments still on it. They are: ${enumerate(ids, total)}.`);
}
