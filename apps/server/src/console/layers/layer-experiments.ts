import type { Schema } from "@gatehouse/contract/console";
import { conflict } from "../../common/errors.ts";
import { enumerate } from "../common/enumerate.ts";

/** The fields of an experiment that its layer reads. */
export type ExperimentOnLayer = Pick<Schema<"Experiment">, "id" | "name" | "status" | "groups">;

/** @throws AppError conflict if experiments in any state are still on the layer */
export function requireNoExperiments(layerID: string, experiments: ExperimentOnLayer[]): void {
  if (experiments.length === 0) return;
  const named = enumerate(experiments.map(({ id }) => id));
  throw conflict(`Layer ${layerID} cannot be deleted because it contains experiments: ${named}.`);
}
