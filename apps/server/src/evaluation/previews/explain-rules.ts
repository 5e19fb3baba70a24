import type { Schema } from "@gatehouse/contract/console";
import type { Condition, ExplainedCondition, ExplainedRule, Rule } from "@gatehouse/evaluation";
import { isSwitch } from "../compile/environments.ts";

/** Longer values are cut, since a request may compare them many times. In characters. */
const MAX_COMPARED_LENGTH = 200;

/** The rules of a spec as the contract has them. The reason says whether the entity is off, so its switch is not listed as a rule. */
export function explainRules(rules: ExplainedRule[]): Schema<"RuleEvaluation">[] {
  return rules
    .filter(({ rule }) => !isSwitch(rule as Rule<Condition>))
    .map(({ rule: { id, name, passPercentage, conditions: sources }, passed, position, conditions }) => ({
      id,
      name,
      passed,
      passPercentage,
      position,
      conditions: conditions.map((condition, index) => toCondition(sources[index] as Condition, condition)),
    }));
}

function toCondition({ type, operator, field }: Condition, { passed, compared }: ExplainedCondition): Schema<"ConditionEvaluation"> {
  return { type, operator: operator ?? null, field: field ?? null, passed, compared: toShown(compared) };
}

function toShown(value: unknown): string | number | boolean | null {
  if (value === undefined || value === null) return null;
  if (typeof value === "number" || typeof value === "boolean") return value;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > MAX_COMPARED_LENGTH ? `${text.slice(0, MAX_COMPARED_LENGTH)}…` : text;
}
