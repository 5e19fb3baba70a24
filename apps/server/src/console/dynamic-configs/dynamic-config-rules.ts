import type { Context } from "../../context.ts";
import type { Rule, RulePatch } from "../common/rule.ts";
import { requireRule, withPatchedRule } from "../common/rule-edits.ts";
import { modified } from "../common/stamp.ts";
import { type DynamicConfig, requireInUse, returnValues } from "./dynamic-config.ts";
import { checkValues } from "./value-schema.ts";

/** The rule that an id or a `baseID` names. @throws AppError not_found */
export function ruleOf(config: DynamicConfig, ruleID: string): Rule {
  return config.rules[positionOf(config, ruleID)] as Rule;
}

/**
 * The dynamic config with the given fields of one rule changed.
 * @throws AppError conflict if it is archived; not_found if it has no such rule; invalid_request naming every violation by its place in
 * the patch
 */
export function patchRule(config: DynamicConfig, ruleID: string, patch: RulePatch, context: Context): DynamicConfig {
  requireInUse(config);
  const rules = withPatchedRule(config.rules, positionOf(config, ruleID), patch, (rule, violations) => {
    if (config.schema !== null) checkValues(JSON.parse(config.schema), returnValues(rule, ""), violations);
  });
  return { ...config, rules, ...modified(config, context) };
}

/** @throws AppError conflict if the dynamic config is archived; not_found if it has no such rule */
export function deleteRule(config: DynamicConfig, ruleID: string, context: Context): DynamicConfig {
  requireInUse(config);
  return { ...config, rules: config.rules.toSpliced(positionOf(config, ruleID), 1), ...modified(config, context) };
}

function positionOf(config: DynamicConfig, ruleID: string): number {
  return requireRule(config.rules, ruleID, `dynamic config ${config.id}`);
}
