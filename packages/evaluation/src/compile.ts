import type { CompiledCondition, Test } from "./condition.ts";
import { internedCondition } from "./condition-table.ts";
import { type Decision, newDecision, type Outcome } from "./decision.ts";
import type { Condition, Rule, Spec } from "./ruleset.ts";
import type { Subject } from "./subject.ts";
import { unitID } from "./user-value.ts";

/** A condition that depends on other specs. */
export type Dependency = Exclude<CompiledCondition, Test>;

export type CompiledSpec = {
  name: string;
  spec: Spec<unknown>;
  rules: CompiledRule[];
  /** The decision if no rule matches. */
  byDefault: Decision | null;
  /** The decision if a rule cannot be evaluated. */
  unsupported: Decision | null;
  /** The number of the last evaluation of this spec, and its outcome. */
  stamp: number;
  outcome: Outcome | null;
};

export type CompiledRule = {
  rule: Rule<unknown>;
  /** In the order of the rule; undefined if unknown. */
  conditions: (CompiledCondition | undefined)[];
  tests: Test[];
  dependencies: Dependency[];
  /** Whether it has an unknown condition. */
  unsupported: boolean;
  delegate: string | null;
  /** 0–100. */
  passPercentage: number;
  /** The text before the unit's id in the input of the hash. */
  hashPrefix: string;
  unitID: (subject: Subject) => unknown;
  passes: Decision | null;
  fails: Decision | null;
  delegated: Delegated | null;
};

/** The decisions of a delegate, converted to those of the spec that delegates. */
type Delegated = { delegate: CompiledSpec; decisions: Map<Decision, Decision> };

/** Compiles a spec for many evaluations. `findCondition` finds a condition by the reference in a rule. */
export function compileSpec<C>(name: string, spec: Spec<C>, findCondition: (reference: C) => Condition | undefined): CompiledSpec {
  return {
    name,
    spec,
    rules: spec.enabled ? (spec.rules ?? []).map((rule) => compileRule(rule, spec, findCondition)) : [],
    byDefault: null,
    unsupported: null,
    stamp: 0,
    outcome: null,
  };
}

function compileRule<C>(rule: Rule<C>, spec: Spec<C>, findCondition: (reference: C) => Condition | undefined): CompiledRule {
  const conditions = (rule.conditions ?? []).map((reference) => compiled(findCondition(reference)));
  const known = conditions.filter((condition) => condition !== undefined);
  return {
    rule,
    conditions,
    tests: known.filter((condition) => condition.kind === "test"),
    dependencies: known.filter((condition) => condition.kind !== "test"),
    unsupported: known.length < conditions.length,
    delegate: rule.configDelegate || null,
    passPercentage: rule.passPercentage,
    hashPrefix: `${spec.salt}.${rule.salt ?? rule.id}.`,
    unitID: unitID(rule.idType),
    passes: null,
    fails: null,
    delegated: null,
  };
}

function compiled(condition: Condition | undefined): CompiledCondition | undefined {
  return condition && internedCondition(condition);
}

/** Created when it is first reached, since most rules never decide. */
export function defaultDecision(compiled: CompiledSpec): Decision {
  compiled.byDefault ??= newDecision({ compiled, ...byDefault(compiled.spec) });
  return compiled.byDefault;
}

function byDefault({ enabled, defaultValue }: Spec<unknown>) {
  const decided = { value: defaultValue, on: defaultValue === true };
  return enabled
    ? { ...decided, reason: "recognised" as const, ruleID: "default" }
    : { ...decided, reason: "disabled" as const, ruleID: "disabled" };
}

export function unsupportedDecision(compiled: CompiledSpec): Decision {
  compiled.unsupported ??= newDecision({ compiled, reason: "unsupported", ruleID: "", value: undefined, on: false });
  return compiled.unsupported;
}

export function passedDecision(compiled: CompiledSpec, decisive: CompiledRule): Decision {
  const { returnValue } = decisive.rule;
  decisive.passes ??= newDecision({ compiled, ...ofRule(decisive.rule), value: returnValue, on: returnValue !== false });
  return decisive.passes;
}

export function failedDecision(compiled: CompiledSpec, decisive: CompiledRule): Decision {
  const { defaultValue } = compiled.spec;
  decisive.fails ??= newDecision({ compiled, ...ofRule(decisive.rule), value: defaultValue, on: defaultValue === true });
  return decisive.fails;
}

function ofRule({ id, groupName, isExperimentGroup }: Rule<unknown>) {
  return { reason: "recognised", ruleID: id ?? "", groupName: groupName ?? null, isGroup: isExperimentGroup === true } as const;
}

/** The decision of a rule's delegate, as a decision of the spec that delegates. */
export function delegatedDecision(compiled: CompiledSpec, decisive: CompiledRule, delegate: CompiledSpec, decided: Decision): Decision {
  // A delegate that was compiled again has new decisions; the old ones are unreachable.
  if (decisive.delegated?.delegate !== delegate) decisive.delegated = { delegate, decisions: new Map() };
  const { decisions } = decisive.delegated;
  const known = decisions.get(decided);
  if (known !== undefined) return known;
  const decision = newDecision({ ...decided, compiled, delegate });
  decisions.set(decided, decision);
  return decision;
}
