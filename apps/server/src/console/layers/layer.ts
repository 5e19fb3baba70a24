import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import type { Context } from "../../common/context.ts";
import { invalid, type Violation } from "../../common/errors.ts";
import { newID } from "../../common/identifier.ts";
import { enumerate } from "../common/enumerate.ts";
import { namedLabels } from "../common/named.ts";
import { created, modified } from "../common/stamp.ts";
import type { Reference } from "../reference.ts";
import type { ExperimentOnLayer } from "./layer-experiments.ts";
import { checkParameters, checkUse } from "./layer-parameters.ts";

export type Layer = Schema<"Layer">;
type LayerCreate = WritableSchema<"LayerCreate">;
type LayerPatch = WritableSchema<"LayerPatch">;

const DEFAULTS = {
  description: "",
  targetApps: [],
  holdoutIDs: [],
  tags: [],
  team: null,
  teamID: null,
  isImplicitLayer: false,
  parameters: [],
} satisfies Partial<Layer>;

/** Creates a layer without experiments. @throws AppError invalid_request with every violation under `parameters` */
export function newLayer(given: LayerCreate, context: Context): Layer {
  const violations: Violation[] = [];
  const layer = { id: newID("layer", given, violations), ...DEFAULTS, ...created(context), ...given };
  checkParameters(layer.parameters, violations);
  if (violations.length > 0) throw invalid(violations);
  return layer;
}

/**
 * The layer with the given fields changed. Dependencies of experiments that are not archived cannot change.
 * @throws AppError invalid_request with every violation
 */
export function changeLayer(layer: Layer, given: LayerPatch, experiments: ExperimentOnLayer[], context: Context): Layer {
  return allowed(layer, { ...layer, ...given, ...modified(layer, context) }, experiments);
}

/** The old version as a new one, with the current holdouts. @throws AppError invalid_request as `changeLayer` does */
export function restoreLayer(layer: Layer, old: Layer, experiments: ExperimentOnLayer[], context: Context): Layer {
  return allowed(layer, { ...old, holdoutIDs: layer.holdoutIDs, ...modified(layer, context) }, experiments);
}

function allowed(before: Layer, after: Layer, experiments: ExperimentOnLayer[]): Layer {
  const users = experiments.filter(({ status }) => status !== "archived");
  const violations: Violation[] = [];
  if (after.idType !== before.idType && users.length > 0) {
    const errorMessage = `must stay ${before.idType} while the layer contains experiments: ${enumerate(users.map(({ id }) => id))}`;
    violations.push({ property: "idType", errorMessage });
  }
  checkParameters(after.parameters, violations);
  checkUse(before.parameters, after.parameters, users, violations);
  if (violations.length > 0) throw invalid(violations);
  return after;
}

/** The layer's references. */
export function namedByLayer(layer: Layer): Reference[] {
  return namedLabels(layer);
}
