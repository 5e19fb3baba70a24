import type { Decision } from "./decision.ts";
import type { Explanation } from "./explain.ts";
import type { Spec } from "./ruleset.ts";
import type { User } from "./user.ts";

/** Evaluates one ruleset. Pure: the same user at the same time gets the same result. */
export type Evaluator = {
  gate(name: string, user: User): GateEvaluation;
  config(name: string, user: User): ConfigEvaluation;
  layer(name: string, user: User): LayerEvaluation;
  paramStore(name: string, user: User): ParamStoreEvaluation;
  /** The response of `initialize` for client SDKs, without segments and holdouts. */
  initialize(user: User, options: { hash: NameHash }): InitializeResponse;
  /** The members of that response except `time`, as pieces of JSON in UTF-8 without the enclosing braces. Do not change them. */
  initializeMembers(user: User, options: { hash: NameHash }): Uint8Array[];
  /** The decision of one spec. Undefined if the ruleset has no such spec. */
  decide: ByKind<(name: string, user: User) => Decided | undefined>;
  /** The decisions of several specs for one user. A spec on which many depend is evaluated once. */
  decisionsFor(user: User): ByKind<(name: string) => Decision | undefined> & { paramStore(name: string): ParamStoreEvaluation };
  /** The decision of one spec, with how each of its rules came out. Undefined if the ruleset has no such spec. */
  explain: ByKind<(name: string, user: User) => Explanation | undefined>;
  /** The decision of every spec, in the ruleset's order, and the value of every param store. */
  decideAll(user: User): ByKind<Decision[]> & { paramStores: [name: string, evaluation: ParamStoreEvaluation][] };
  /** Specs by name. Segments and holdouts are gates. */
  specs: ByKind<(name: string) => Spec<unknown> | undefined>;
};

/** A decision, and those of the gates on which it depended. */
export type Decided = { readonly decision: Decision; readonly exposures: readonly Decision[] };

type ByKind<T> = { gate: T; config: T; layer: T };

/** How names are hashed for client SDKs. */
export type NameHash = "djb2" | "sha256" | "none";

/**
 * `recognised`: rules were evaluated, and the rule ID is the deciding rule's (`default` without a match). `disabled`: the spec is
 * disabled. `not_found`: the ruleset has no such spec. `unsupported`: a rule has an unknown condition or operator.
 */
export type Reason = "recognised" | "disabled" | "not_found" | "unsupported";

/** A gate on which the result depended. */
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
  /** The deciding experiment; empty without one. */
  allocatedExperiment: string;
  explicitParameters: readonly string[];
  secondaryExposures: readonly SecondaryExposure[];
  /** The exposures of the layer, without the experiment's. */
  undelegatedSecondaryExposures: readonly SecondaryExposure[];
  reason: Reason;
};

export type ParamStoreEvaluation = {
  value: Record<string, unknown>;
  /** Whether no parameter depends on the user. */
  isStatic: boolean;
  reason: Reason;
};

/** The response that client SDKs read. Keys are hashed names. */
export type InitializeResponse = {
  has_updates: true;
  /** When the ruleset last changed, ms since the epoch. */
  time: number;
  hash_used: NameHash;
  feature_gates: Record<string, object>;
  dynamic_configs: Record<string, object>;
  layer_configs: Record<string, object>;
  param_stores: Record<string, object>;
  [field: string]: unknown;
};
