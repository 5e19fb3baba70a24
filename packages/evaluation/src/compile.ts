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
  /** Where no rule decides. */
  byDefault: Decision | null;
  /** Where a rule cannot be evaluated here. */
  unsupported: Decision | null;
  /** The evaluation that came here last, and the outcome it found. */
  stamp: number;
  outcome: Outcome | null;
};

export type CompiledRule = {
  rule: Rule<unknown>;
  tests: Test[];
  dependencies: Dependency[];
  /** It holds a condition that is not known here. */
  unsupported: boolean;
  delegate: string | null;
  /** 0–100. */
  passPercentage: number;
  /** What the unit's id is appended to, to be hashed. */
  hashPrefix: string;
  unitID: (subject: Subject) => unknown;
  passes: Decision | null;
  fails: Decision | null;
  delegated: Delegated | null;
};

/** The decisions of a delegate, as those of the spec that delegates. */
type Delegated = { delegate: CompiledSpec; decisions: Map<Decision, Decision> };

/** A spec, made ready to be evaluated for many users. `conditionOf` finds a condition by what rules hold of it. */
export function compileSpec<C>(name: string, spec: Spec<C>, conditionOf: (reference: C) => Condition | undefined): CompiledSpec {
  return {
    name,
    spec,
    rules: spec.enabled ? (spec.rules ?? []).map((rule) => compileRule(rule, spec, conditionOf)) : [],
    byDefault: null,
    unsupported: null,
    stamp: 0,
    outcome: null,
  };
}

function compileRule<C>(rule: Rule<C>, spec: Spec<C>, conditionOf: (reference: C) => Condition | undefined): CompiledRule {
  const conditions = (rule.conditions ?? []).map((reference) => compiled(conditionOf(reference)));
  const known = conditions.filter((condition) => condition !== undefined);
  return {
    rule,
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

/** Compiled when it is first reached: most rules of most specs never decide. */
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

/** What the delegate of a rule decided, as the decision of the spec that delegates. */
export function delegatedDecision(compiled: CompiledSpec, decisive: CompiledRule, delegate: CompiledSpec, decided: Decision): Decision {
  // A delegate that was compiled again has other decisions, and those of before are reached no more.
  if (decisive.delegated?.delegate !== delegate) decisive.delegated = { delegate, decisions: new Map() };
  const { decisions } = decisive.delegated;
  const known = decisions.get(decided);
  if (known !== undefined) return known;
  const decision = newDecision({ ...decided, compiled, delegate });
  decisions.set(decided, decision);
  return decision;
}
