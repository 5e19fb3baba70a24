import type { Context } from "../../common/context.ts";
import type { Rule, RulePatch } from "../common/rule.ts";
import { requireRule, ruleChange } from "../common/rule-edits.ts";
import { modified } from "../common/stamp.ts";
import { configLifecycle, type DynamicConfig, type DynamicConfigDraft, returnValues } from "./dynamic-config.ts";

/** The rule with this id or else this `baseID`. @throws AppError not_found */
export function getRule(config: DynamicConfig, ruleID: string): Rule {
  return config.rules[findPosition(config, ruleID)] as Rule;
}

/**
 * Patches one rule. The draft has every violation by its place in the patch.
 * @throws AppError conflict if it is archived; not_found if it has no such rule
 */
export function patchRule(config: DynamicConfig, ruleID: string, patch: RulePatch, context: Context): DynamicConfigDraft {
  configLifecycle.requireInUse(config);
  const { rules, rule, violations } = ruleChange(config.rules, findPosition(config, ruleID), patch, context.now);
  return { config: { ...config, rules, ...modified(config, context) }, violations, values: returnValues(rule, "") };
}

/** @throws AppError conflict if the dynamic config is archived; not_found if it has no such rule */
export function deleteRule(config: DynamicConfig, ruleID: string, context: Context): DynamicConfig {
  configLifecycle.requireInUse(config);
  return { ...config, rules: config.rules.toSpliced(findPosition(config, ruleID), 1), ...modified(config, context) };
}

function findPosition(config: DynamicConfig, ruleID: string): number {
  return requireRule(config.rules, ruleID, `dynamic config ${config.id}`);
}
