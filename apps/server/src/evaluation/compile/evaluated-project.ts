import type { Schema } from "@gatehouse/contract/console";

/**
 * What of a project is evaluated, by id and as the change log holds it. Archived entities may be among it. A value is never changed in
 * place: what changed is another object, and what is the same object did not change.
 */
export type EvaluatedProject = {
  environments: Schema<"EnvironmentSet">;
  gates: ReadonlyMap<string, Schema<"Gate">>;
  dynamicConfigs: ReadonlyMap<string, Schema<"DynamicConfig">>;
  experiments: ReadonlyMap<string, Schema<"Experiment">>;
  layers: ReadonlyMap<string, Schema<"Layer">>;
  segments: ReadonlyMap<string, Schema<"Segment">>;
  holdouts: ReadonlyMap<string, Schema<"Holdout">>;
  paramStores: ReadonlyMap<string, Schema<"ParamStore">>;
  prompts: ReadonlyMap<string, Schema<"Prompt">>;
  /** By the id of what they override. */
  gateOverrides: ReadonlyMap<string, Schema<"OverrideLists">>;
  experimentOverrides: ReadonlyMap<string, Schema<"ExperimentOverrides">>;
  layerOverrides: ReadonlyMap<string, Schema<"LayerOverrides">>;
  holdoutOverrides: ReadonlyMap<string, Schema<"OverrideLists">>;
  /** The ids of a segment that lists few of them. One that is not here is compiled as a list that SDKs download. */
  segmentIDs: ReadonlyMap<string, readonly string[]>;
};

/** A segment with more ids is an id list that SDKs download separately. */
export const MAX_INLINE_IDS = 1000;
