import type { Context } from "../../context.ts";
import { invalid, notFound, type Violation } from "../../errors.ts";
import { changeRule, findRule, type Rule, type RulePatch } from "../common/rule.ts";
import { modified } from "../common/stamp.ts";
import { type DynamicConfig, requireInUse, returnValues } from "./dynamic-config.ts";
import { checkValues } from "./value-schema.ts";

/** The rule that an id or a `baseID` names. @throws AppError not_found */
export function ruleOf(config: DynamicConfig, ruleID: string): Rule {
  const rule = findRule(config.rules, ruleID);
  if (!rule) throw notFound("Rule", `${ruleID} of dynamic config ${config.id}`);
  return rule;
}

/**
 * The dynamic config with the given fields of one rule changed.
 * @throws AppError not_found if it has no such rule; conflict if it is archived; invalid_request naming every violation by its place in
 * the rule
 */
export function changeRuleOf(config: DynamicConfig, ruleID: string, given: RulePatch, context: Context): DynamicConfig {
  const before = ruleOf(config, ruleID);
  requireInUse(config);
  const violations: Violation[] = [];
  const after = changeRule(config.rules, before, given, violations);
  if (config.schema !== null) checkValues(JSON.parse(config.schema), returnValues(after, ""), violations);
  if (violations.length > 0) throw invalid(violations);
  return { ...config, rules: config.rules.map((rule) => (rule === before ? after : rule)), ...modified(config, context) };
}

/** The dynamic config without one rule. @throws AppError not_found if it has no such rule; conflict if it is archived */
export function removeRuleOf(config: DynamicConfig, ruleID: string, context: Context): DynamicConfig {
  const removed = ruleOf(config, ruleID);
  requireInUse(config);
  return { ...config, rules: config.rules.filter((rule) => rule !== removed), ...modified(config, context) };
}
