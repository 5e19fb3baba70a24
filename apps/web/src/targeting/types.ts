import type { Schema, WritableSchema } from "@gatehouse/client";

export type Condition = WritableSchema<"Condition">;
export type ConditionType = Condition["type"];
/** An operator of the contract. The contract has empty operators too, which count as omitted. */
export type Operator = Exclude<Condition["operator"], "" | null | undefined>;
export type TargetValue = Exclude<Condition["targetValue"], null | undefined>;

/** A rule as requests have it, so one that the server has not stored yet has no id. */
export type Rule = WritableSchema<"GivenRule">;
export type Variant = NonNullable<Rule["variants"]>[number];
export type Rollout = NonNullable<Rule["pendingAutomatedRollouts"]>[number];

export type Gate = Schema<"Gate">;
export type DynamicConfig = Schema<"DynamicConfig">;
/** A parameter of a param store. */
export type Parameter = Schema<"ParamStore">["parameters"][number];
export type EntityChange = Schema<"EntityChange">;
export type OverrideLists = Schema<"OverrideLists">;
/** Overrides as requests have them. */
export type GivenOverrideLists = WritableSchema<"OverrideListsUpdate">;

/**
 * A fault of a draft. `property` is the path that the server would name, such as `rules[0].conditions[1].targetValue`. The server refuses
 * an `error`, or the condition is incomplete. It stores a `warning`, but hardly as intended.
 */
export type Fault = {
  property: string;
  message: string;
  level: "error" | "warning";
  /** The name of the rule, for warnings that a review repeats. */
  rule?: string;
};
