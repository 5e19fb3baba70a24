import type { Schema } from "@gatehouse/contract/console";
import type { Evaluator, Spec } from "@gatehouse/evaluation";
import type { EvaluatedProject } from "../../console/evaluated-project.ts";
import { holdoutName, segmentName } from "../compile/names.ts";

/** The subject of a preview: an entity of the project, and its place in a ruleset. */
export type Target = Schema<"EvaluatedEntity"> & {
  /** The kind of spec, and its name. */
  kind: "gate" | "config" | "layer" | "paramStore";
  name: string;
  exists: boolean;
  /** Its name in errors. */
  title: string;
};

type Place = Pick<Target, "kind" | "title"> & {
  entities: (project: EvaluatedProject) => ReadonlyMap<string, object>;
  name?: (project: EvaluatedProject, id: string) => string;
};

const PLACES: Record<Target["type"], Place> = {
  gate: { kind: "gate", title: "gate", entities: ({ gates }) => gates },
  autotune: { kind: "config", title: "autotune", entities: ({ autotunes }) => autotunes },
  dynamic_config: { kind: "config", title: "dynamic config", entities: ({ dynamicConfigs }) => dynamicConfigs },
  experiment: { kind: "config", title: "experiment", entities: ({ experiments }) => experiments },
  layer: { kind: "layer", title: "layer", entities: ({ layers }) => layers },
  segment: { kind: "gate", title: "segment", entities: ({ segments }) => segments, name: (_, id) => segmentName(id) },
  holdout: { kind: "gate", title: "holdout", entities: ({ holdouts }) => holdouts, name: holdoutName },
  param_store: { kind: "paramStore", title: "param store", entities: ({ paramStores }) => paramStores },
};

export function toTarget({ type, id }: Schema<"EvaluatedEntity">, project: EvaluatedProject): Target {
  const { kind, title, entities, name } = PLACES[type];
  return { type, id, kind, title, name: name?.(project, id) ?? id, exists: entities(project).has(id) };
}

/** The type of an entity, by that of its spec. */
const TYPES = new Map<string, Target["type"]>([
  ["feature_gate", "gate"],
  ["autotune", "autotune"],
  ["dynamic_config", "dynamic_config"],
  ["experiment", "experiment"],
  ["layer", "layer"],
  ["segment", "segment"],
  ["holdout", "holdout"],
]);

/** Its spec in the ruleset. Undefined if it is archived, or if another entity has its name there. */
export function findSpec({ kind, name, type }: Target, { specs }: Evaluator): Spec<unknown> | undefined {
  const spec = kind === "paramStore" ? undefined : specs[kind](name);
  return spec && TYPES.get(spec.entity) === type ? spec : undefined;
}
