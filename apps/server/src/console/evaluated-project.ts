import type { Schema } from "@gatehouse/contract/console";
import type { AutotuneWeights } from "./autotunes/autotune-shares.ts";

/**
 * The part of a project that is evaluated: entities by id, as the change log has them, archived ones included. Entities are immutable: a
 * changed entity is a new object, and the same object has not changed.
 */
export type EvaluatedProject = {
  environments: Schema<"EnvironmentSet">;
  gates: ReadonlyMap<string, Schema<"Gate">>;
  autotunes: ReadonlyMap<string, Schema<"Autotune">>;
  dynamicConfigs: ReadonlyMap<string, Schema<"DynamicConfig">>;
  experiments: ReadonlyMap<string, Schema<"Experiment">>;
  layers: ReadonlyMap<string, Schema<"Layer">>;
  segments: ReadonlyMap<string, Schema<"Segment">>;
  holdouts: ReadonlyMap<string, Schema<"Holdout">>;
  paramStores: ReadonlyMap<string, Schema<"ParamStore">>;
  prompts: ReadonlyMap<string, Schema<"Prompt">>;
  /** By the id of the autotune. */
  autotuneWeights: ReadonlyMap<string, AutotuneWeights>;
  /** By the id of the entity that they override. */
  gateOverrides: ReadonlyMap<string, Schema<"OverrideLists">>;
  experimentOverrides: ReadonlyMap<string, Schema<"ExperimentOverrides">>;
  layerOverrides: ReadonlyMap<string, Schema<"LayerOverrides">>;
  holdoutOverrides: ReadonlyMap<string, Schema<"OverrideLists">>;
  /** The ids of segments that have at most MAX_INLINE_IDS. Others are compiled as lists that SDKs download. */
  segmentIDs: ReadonlyMap<string, readonly string[]>;
};

/** A segment with more ids is an id list that SDKs download separately. */
export const MAX_INLINE_IDS = 1000;
