import type { CompiledRule, CompiledSpec } from "./compile.ts";
import type { CompiledCondition } from "./condition.ts";
import type { Decision } from "./decision.ts";
import { type Evaluation, evaluate, fulfils, newTrail, passesPercentage, percentageBucket } from "./evaluate.ts";
import type { Rule } from "./ruleset.ts";

/** A condition as it was evaluated. */
export type ExplainedCondition = {
  passed: boolean;
  /** The user's value that was compared. For a condition on gates, whether one has the expected value. Undefined without a value. */
  compared: unknown;
};

/** A rule as it was evaluated. */
export type ExplainedRule = {
  rule: Rule<unknown>;
  /** Whether all conditions passed, and the unit is within the pass percentage. */
  passed: boolean;
  /** The position of the unit, 0–99.99: it passes if that is below the pass percentage. Null if a condition failed. */
  position: number | null;
  /** In the order of the rule's conditions. */
  conditions: ExplainedCondition[];
};

/** A decision with the rules that led to it, in their order. The last one decided, unless none matched. */
export type Explanation = { decision: Decision; rules: ExplainedRule[] };

/** Evaluates a spec, and says how each rule came out. */
export function explain(evaluation: Evaluation, compiled: CompiledSpec): Explanation {
  const { decision } = evaluate(evaluation, compiled);
  const rules: ExplainedRule[] = [];
  for (const rule of compiled.rules) {
    const conditions = rule.conditions.map((condition) => explainCondition(evaluation, condition));
    const isMatch = conditions.every(({ passed }) => passed);
    rules.push({ rule: rule.rule, ...explainOutcome(evaluation, rule, isMatch), conditions });
    if (isMatch || rule.unsupported) break;
  }
  return { decision, rules };
}

function explainOutcome(evaluation: Evaluation, rule: CompiledRule, isMatch: boolean): Pick<ExplainedRule, "passed" | "position"> {
  if (!isMatch) return { passed: false, position: null };
  return { passed: passesPercentage(evaluation, rule), position: percentageBucket(evaluation, rule) / 100 };
}

function explainCondition(evaluation: Evaluation, condition: CompiledCondition | undefined): ExplainedCondition {
  if (condition === undefined) return { passed: false, compared: undefined };
  const { subject, runtime } = evaluation;
  switch (condition.kind) {
    case "test":
      return { passed: condition.holds(subject, runtime), compared: condition.read?.(subject, runtime) };
    case "gate":
    case "any_gate": {
      const passed = fulfils(evaluation, condition, newTrail());
      return { passed, compared: passed === condition.expected };
    }
    case "experiment_group": {
      const experiment = evaluation.config(condition.experiment);
      const compared = experiment && evaluate(evaluation, experiment).decision.groupName;
      return { passed: condition.holds(compared), compared };
    }
  }
}
