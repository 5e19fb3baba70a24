import { type CompiledCondition, compileCondition } from "./condition.ts";
import { type Outcome, outcome } from "./outcome.ts";
import type { Condition, Rule, Spec } from "./ruleset.ts";
import type { User } from "./user.ts";
import { unitID } from "./user-value.ts";

type Test = Extract<CompiledCondition, { kind: "test" }>;
/** A condition that depends on other specs. */
export type Dependency = Exclude<CompiledCondition, Test>;

export type CompiledSpec = {
  name: string;
  spec: Spec<unknown>;
  rules: CompiledRule[];
  /** Where no rule decides. */
  byDefault: Outcome;
};

export type CompiledRule = {
  tests: Test["holds"][];
  dependencies: Dependency[];
  /** It holds a condition that is not known here. */
  unsupported: boolean;
  delegate: string | null;
  /** 0–100. */
  passPercentage: number;
  /** What the unit's id is appended to, to be hashed. */
  hashPrefix: string;
  unitID: (user: User) => unknown;
  passes: Outcome;
  fails: Outcome;
};

/** A spec, made ready to be evaluated for many users. `conditionOf` finds a condition by what rules hold of it. */
export function compileSpec<C>(name: string, spec: Spec<C>, conditionOf: (reference: C) => Condition | undefined): CompiledSpec {
  const { defaultValue } = spec;
  const ruleID = spec.enabled ? "default" : "disabled";
  return {
    name,
    spec,
    rules: spec.enabled ? (spec.rules ?? []).map((rule) => compileRule(rule, spec, conditionOf)) : [],
    byDefault: outcome({ reason: spec.enabled ? "recognised" : "disabled", ruleID, value: defaultValue, on: defaultValue === true }),
  };
}

function compileRule<C>(rule: Rule<C>, spec: Spec<C>, conditionOf: (reference: C) => Condition | undefined): CompiledRule {
  const conditions = (rule.conditions ?? []).map((reference) => compiled(conditionOf(reference)));
  const known = conditions.filter((condition) => condition !== undefined);
  const decided = {
    reason: "recognised",
    ruleID: rule.id ?? "",
    groupName: rule.groupName ?? null,
    isGroup: rule.isExperimentGroup === true,
  } as const;
  return {
    tests: known.filter((condition) => condition.kind === "test").map(({ holds }) => holds),
    dependencies: known.filter((condition) => condition.kind !== "test"),
    unsupported: known.length < conditions.length,
    delegate: rule.configDelegate || null,
    passPercentage: rule.passPercentage,
    hashPrefix: `${spec.salt}.${rule.salt ?? rule.id}.`,
    unitID: unitID(rule.idType),
    passes: outcome({ ...decided, value: rule.returnValue, on: rule.returnValue !== false }),
    fails: outcome({ ...decided, value: spec.defaultValue, on: spec.defaultValue === true }),
  };
}

const compiledConditions = new WeakMap<Condition, { condition: CompiledCondition | undefined }>();

function compiled(condition: Condition | undefined): CompiledCondition | undefined {
  if (condition === undefined) return undefined;
  const known = compiledConditions.get(condition) ?? { condition: compileCondition(condition) };
  compiledConditions.set(condition, known);
  return known.condition;
}
