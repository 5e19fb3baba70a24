import type { Decision } from "./decision.ts";
import type { Spec } from "./ruleset.ts";
import type { User } from "./user.ts";

/** Answers for one ruleset. Pure: the same user at the same time gets the same answer. */
export type Evaluator = {
  gate(name: string, user: User): GateEvaluation;
  config(name: string, user: User): ConfigEvaluation;
  layer(name: string, user: User): LayerEvaluation;
  paramStore(name: string, user: User): ParamStoreEvaluation;
  /** The whole answer of `initialize`, for client SDKs. Segments and holdouts are left out. */
  initialize(user: User, options: { hash: NameHash }): InitializeResponse;
  /** The members of that answer but for `time`, as JSON in UTF-8 without the braces around them: pieces to be joined, and not to be changed. */
  initializeMembers(user: User, options: { hash: NameHash }): Uint8Array[];
  /** What is decided about one spec, without the gates that it depended on. Undefined where the ruleset has no such name. */
  decide: ByKind<(name: string, user: User) => Decision | undefined>;
  /** What is decided about every spec, in the order of the ruleset, and the value of every param store. */
  decideAll(user: User): ByKind<Decision[]> & { paramStores: [name: string, evaluation: ParamStoreEvaluation][] };
  /** Specs by name. Segments and holdouts are gates. */
  specs: ByKind<(name: string) => Spec<unknown> | undefined>;
};

type ByKind<T> = { gate: T; config: T; layer: T };

/** How names are written for client SDKs. */
export type NameHash = "djb2" | "sha256" | "none";

/**
 * recognised: rules were followed, and the rule ID says which one decided (`default` where none did). disabled: the spec is off.
 * not_found: the ruleset has no such name. unsupported: a rule needs a condition or an operator that is not known here.
 */
export type Reason = "recognised" | "disabled" | "not_found" | "unsupported";

/** A gate that the answer depended on. */
export type SecondaryExposure = { gate: string; gateValue: "true" | "false"; ruleID: string };

export type GateEvaluation = {
  value: boolean;
  ruleID: string;
  groupName: string | null;
  secondaryExposures: readonly SecondaryExposure[];
  reason: Reason;
};

export type ConfigEvaluation = {
  value: Record<string, unknown>;
  ruleID: string;
  groupName: string | null;
  isUserInExperiment: boolean;
  isExperimentActive: boolean;
  secondaryExposures: readonly SecondaryExposure[];
  reason: Reason;
};

export type LayerEvaluation = {
  value: Record<string, unknown>;
  ruleID: string;
  groupName: string | null;
  /** The experiment that decided; empty where none did. */
  allocatedExperiment: string;
  explicitParameters: readonly string[];
  secondaryExposures: readonly SecondaryExposure[];
  /** Those of the layer alone, without the experiment's. */
  undelegatedSecondaryExposures: readonly SecondaryExposure[];
  reason: Reason;
};

export type ParamStoreEvaluation = {
  value: Record<string, unknown>;
  /** No parameter depends on the user. */
  isStatic: boolean;
  reason: Reason;
};

/** As client SDKs read it. Keys are names, hashed as asked for. */
export type InitializeResponse = {
  has_updates: true;
  /** When the ruleset last changed, ms. */
  time: number;
  hash_used: NameHash;
  feature_gates: Record<string, object>;
  dynamic_configs: Record<string, object>;
  layer_configs: Record<string, object>;
  param_stores: Record<string, object>;
  [field: string]: unknown;
};
