/**
 * The configuration that applications evaluate: every gate, config and layer of a project with its rules, in the format of
 * `download_config_specs` of the SDK protocol. There are two shapes. "v1" lists specs, and rules contain their conditions. "v2" maps names
 * to specs, and rules reference conditions in `condition_map`. Both are accepted. Fields that are not declared here do not affect
 * evaluation.
 */
export type Ruleset = RulesetV1 | RulesetV2;

/** A ruleset with an index of its specs. Creating an evaluator for it takes constant time. */
export type IndexedRuleset = {
  /** When the ruleset last changed, ms since the epoch. */
  time: number;
  gates: SpecIndex;
  configs: SpecIndex;
  layers: SpecIndex;
  paramStores: { get(name: string): ParamStore | undefined; entries(): Iterable<[name: string, ParamStore]> };
  /** The tier of users without one. */
  defaultEnvironment: string | null;
};

/** Specs that contain their names. `groups` has them in order; data derived from a group is shared by all rulesets with the same one. */
export type SpecIndex = { get(name: string): Spec | undefined; groups(): readonly (readonly Spec[])[] };

export type RulesetV1 = Common & {
  feature_gates: Spec<Condition>[];
  dynamic_configs: Spec<Condition>[];
  layer_configs: Spec<Condition>[];
  /** The experiments of each layer, by the layer's name. */
  layers?: Record<string, string[]>;
};

export type RulesetV2 = Common & {
  feature_gates: Record<string, Spec<string>>;
  dynamic_configs: Record<string, Spec<string>>;
  layer_configs: Record<string, Spec<string>>;
  condition_map: Record<string, Condition>;
  /** The layer of each experiment in a layer. */
  experiment_to_layer: Record<string, string>;
};

type Common = {
  has_updates?: boolean;
  /** When the ruleset last changed, ms since the epoch. It never decreases. */
  time: number;
  /** The names of the id lists that conditions read. */
  id_lists?: Record<string, boolean>;
  param_stores?: Record<string, ParamStore>;
  prompt_configs?: Record<string, unknown>;
  /** The tier of users without one. */
  default_environment?: string | null;
  /** The target app that `target_app` conditions compare. */
  app_id?: string | null;
};

/** A gate, config, experiment, layer, segment or holdout. `C` is the type of conditions in rules: conditions or their ids. */
export type Spec<C = Condition> = {
  /** Only in "v1"; in "v2" it is the key. */
  name?: string;
  type: string;
  /** The prefix of the hash input of its rules. */
  salt: string;
  enabled: boolean;
  defaultValue: unknown;
  idType: string;
  /** feature_gate, segment, holdout, dynamic_config, experiment, autotune or layer. */
  entity: string;
  rules: Rule<C>[];
  /** For experiments: whether it is running. */
  isActive?: boolean;
  hasSharedParams?: boolean;
  /** The parameters that an experiment in a layer sets. */
  explicitParameters?: string[];
  targetAppIDs?: string[];
  version?: number;
};

export type Rule<C = Condition> = {
  name: string;
  id: string;
  groupName?: string | null;
  /** Replaces the id in the hash input. */
  salt?: string | null;
  /** 0–100, two decimals. */
  passPercentage: number;
  /** All must match. */
  conditions: C[];
  /** The value for units that pass. */
  returnValue: unknown;
  idType: string;
  /** In a layer: the experiment that the rule delegates to. */
  configDelegate?: string | null;
  isExperimentGroup?: boolean;
};

export type Condition = {
  /** public, user_field, unit_id, ip_based, ua_based, environment_field, current_time, user_bucket, pass_gate, fail_gate … */
  type: string;
  targetValue?: unknown;
  operator?: string | null;
  field?: string | null;
  additionalValues?: Record<string, unknown> | null;
  idType: string;
};

/** Parameters by name, each with the source of its value. */
export type ParamStore = {
  targetAppIDs?: string[];
  parameters: Record<string, Parameter>;
};

export type Parameter = { param_type: string } & (
  | { ref_type: "static"; value: unknown }
  | { ref_type: "gate"; gate_name: string; pass_value: unknown; fail_value: unknown }
  | { ref_type: "dynamic_config"; config_name: string; param_name: string }
  | { ref_type: "experiment"; experiment_name: string; param_name: string }
  | { ref_type: "layer"; layer_name: string; param_name: string }
);
