/**
 * What applications evaluate: every gate, config and layer of a project with its rules, as the SDK protocol carries it in the answer of
 * `download_config_specs`. There are two shapes. "v1" lists specs, and a rule holds its conditions; "v2" maps names to specs, and a rule
 * names its conditions, which stand once in `condition_map`. Both are accepted; fields that are not named here mean nothing to evaluation.
 */
export type Ruleset = RulesetV1 | RulesetV2;

/** A ruleset that finds its specs itself, so that an evaluator of it is made in no time, whatever its length. */
export type IndexedRuleset = {
  /** When the ruleset last changed, ms. */
  time: number;
  gates: SpecIndex;
  configs: SpecIndex;
  layers: SpecIndex;
  paramStores: { get(name: string): ParamStore | undefined; entries(): Iterable<[name: string, ParamStore]> };
  /** The tier of users that carry none. */
  defaultEnvironment: string | null;
};

/** Specs, each with its name in it. */
export type SpecIndex = { get(name: string): Spec | undefined; values(): Iterable<Spec> };

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
  /** The layer of each experiment that is in one. */
  experiment_to_layer: Record<string, string>;
};

type Common = {
  has_updates?: boolean;
  /** When the ruleset last changed, ms. It never goes down. */
  time: number;
  /** The names of the id lists that conditions look into. */
  id_lists?: Record<string, boolean>;
  param_stores?: Record<string, ParamStore>;
  prompt_configs?: Record<string, unknown>;
  /** The tier of users that carry none. */
  default_environment?: string | null;
  /** The target app that `target_app` conditions compare. */
  app_id?: string | null;
};

/** A gate, config, experiment, layer, segment or holdout. `C` is how a rule holds its conditions: themselves or their ids. */
export type Spec<C = Condition> = {
  /** In "v1"; in "v2" it is the key. */
  name?: string;
  type: string;
  /** What the hashes of its rules begin with. */
  salt: string;
  enabled: boolean;
  defaultValue: unknown;
  idType: string;
  /** feature_gate, segment, holdout, dynamic_config, experiment, autotune or layer. */
  entity: string;
  rules: Rule<C>[];
  /** Of experiments: whether it runs. */
  isActive?: boolean;
  hasSharedParams?: boolean;
  /** The parameters that belong to an experiment in a layer. */
  explicitParameters?: string[];
  targetAppIDs?: string[];
  version?: number;
};

export type Rule<C = Condition> = {
  name: string;
  id: string;
  groupName?: string | null;
  /** Instead of the id in the hash. */
  salt?: string | null;
  /** 0–100, two decimals. */
  passPercentage: number;
  /** All must hold. */
  conditions: C[];
  /** What a unit that passes gets. */
  returnValue: unknown;
  idType: string;
  /** The experiment that decides instead, in a layer. */
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

/** Parameters by name, each with where its value comes from. */
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
