import type { Schema } from "@gatehouse/contract/console";
import type { Context } from "../../common/context.ts";
import { conflict, type Violation } from "../../common/errors.ts";
import { jsonType } from "../common/json-type.ts";
import { modified } from "../common/stamp.ts";
import { allocate, type BucketHolder, bucketCount, shortage } from "./allocation.ts";
import { isRunning } from "./experiment-lifecycle.ts";

type Experiment = Schema<"Experiment">;
type Layer = Schema<"Layer">;

/** The layer of an experiment, and the buckets of its other experiments. */
export type SharedLayer = { layer: Layer; others: BucketHolder[] };

/** An experiment must have its layer's unit ID type: otherwise the layer could not keep its experiments exclusive. */
export function checkUnit({ idType }: Experiment, shared: SharedLayer | undefined, violations: Violation[]): void {
  if (!shared || idType === shared.layer.idType) return;
  const { id, idType: unit } = shared.layer;
  violations.push({ property: "idType", errorMessage: `must be ${unit}, the idType of layer ${id}` });
}

/** In a layer, groups may set only the layer's parameters, to values of their types. */
export function checkParameters({ groups }: Experiment, shared: SharedLayer | undefined, violations: Violation[]): void {
  if (!shared) return;
  const { id, parameters } = shared.layer;
  const types = new Map(parameters.map(({ name, type }) => [name, type]));
  for (const [index, group] of groups.entries()) {
    for (const [name, value] of Object.entries(group.parameterValues ?? {})) {
      const type = types.get(name);
      const refuse = (errorMessage: string) => violations.push({ property: `groups[${index}].parameterValues.${name}`, errorMessage });
      if (type === undefined) refuse(`is not a parameter of layer ${id}`);
      else if (jsonType(value) !== type) refuse(`must be ${type}, the type of the parameter in layer ${id}`);
    }
  }
}

/**
 * Allocates or frees buckets as the experiment's state and allocation require.
 * @throws AppError conflict if the layer has too few free buckets
 */
export function settleBuckets(experiment: Experiment, shared: SharedLayer | undefined): Experiment {
  const { id, layerID, allocation, salt, status, userBuckets } = experiment;
  const wanted = isRunning(status) ? bucketCount(allocation) : 0;
  const others = shared?.others ?? [];
  // Only a forced deletion removes the layer of an experiment. Free buckets are unknown then.
  if (layerID !== null && !shared && wanted > userBuckets.length) {
    throw conflict(`Layer ${layerID} of experiment ${id} no longer exists. Create another experiment instead.`, "layerID");
  }
  const buckets = allocate(userBuckets, wanted, others, salt);
  if (!buckets) throw conflict(shortage(layerID ?? "", { id, buckets: userBuckets }, wanted, others), "allocation");
  return { ...experiment, userBuckets: buckets };
}

/** The layer with the launched group's values as its defaults. Undefined if they are equal already. */
export function shipTo(layer: Layer, { groups, launchedGroupID }: Experiment, context: Context): Layer | undefined {
  const values = groups.find(({ id }) => id === launchedGroupID)?.parameterValues ?? {};
  const parameters = layer.parameters.map((parameter) => {
    const value = values[parameter.name];
    return Object.hasOwn(values, parameter.name) && jsonType(value) === parameter.type
      ? { ...parameter, defaultValue: value as typeof parameter.defaultValue }
      : parameter;
  });
  if (JSON.stringify(parameters) === JSON.stringify(layer.parameters)) return undefined;
  return { ...layer, parameters, ...modified(layer, context) };
}
