import { exact } from "../charts/format.ts";
import { findFaults } from "./condition-faults.ts";
import { equal } from "./equal.ts";
import { MAX_NAME_LENGTH } from "./names.ts";
import { rolloutFaults } from "./rollouts.ts";
import { type DraftRule, isAudienceMissing, type RulesDraft, toRules } from "./rule-draft.ts";
import type { Fault, Rule } from "./types.ts";
import { unreachedRules, unreachedText } from "./unreached-rules.ts";

/** The most rules of an entity. */
const MAX_RULES = 1000;

/**
 * The faults of the rules of a draft, each with its path in a request. Rules that are as they were stored have none, so that old faults don't
 * keep a person from saving other changes.
 * @param now ms since the epoch
 */
export function faultsOfRules(draft: RulesDraft, stored: readonly Rule[], now: number): Fault[] {
  const rules = toRules(draft);
  const before = new Map(stored.map((rule) => [rule.id, rule]));
  const names = rules.map(({ name }) => name);
  const faults = rules.flatMap((rule, index) => {
    if (rule.id && equal(withoutEmptyList(before.get(rule.id)), rule)) return [];
    const others = names.toSpliced(index, 1);
    return faultsOfRule(rule, others, now, before.get(rule.id)).map((fault) => ({
      ...fault,
      property: `rules[${index}].${fault.property}`,
      ...(fault.level === "warning" && { rule: rule.name }),
    }));
  });
  const found = [...faults, ...newlyUnreached(rules, stored)];
  if (rules.length <= MAX_RULES) return found;
  return [...found, { property: "rules", level: "error", message: `This has ${rules.length} rules. Use at most ${MAX_RULES}.` }];
}

/** Warnings of rules that are not reached any longer, and of new ones that are never reached. */
function newlyUnreached(rules: readonly DraftRule[], stored: readonly Rule[]): Fault[] {
  const known = new Set([...unreachedRules(stored).keys()].map((index) => stored[index]?.id));
  return [...unreachedRules(rules)].flatMap(([index, deciding]): Fault[] => {
    const { id, name } = rules[index] as DraftRule;
    if (id !== undefined && known.has(id)) return [];
    return [{ property: `rules[${index}]`, level: "warning", message: unreachedText(deciding), rule: name }];
  });
}

/** The faults of a rule, each with its path in the rule. @param otherNames the names of the other rules. @param now ms since the epoch. @param stored the rule before the edits */
function faultsOfRule(rule: DraftRule, otherNames: readonly string[], now: number, stored: Rule | undefined): Fault[] {
  const { environments, conditions, passPercentage } = rule;
  const faults: Fault[] = [];
  const error = (property: string, message: string) => faults.push({ property, message, level: "error" });
  const nameError = errorOfName(rule.name, otherNames);
  if (nameError !== undefined) error("name", nameError);
  if (!isPercentage(passPercentage)) error("passPercentage", "Enter a percentage from 0 to 100, in steps of 0.01.");
  if (environments?.length === 0) error("environments", "Choose at least one environment, or all.");
  if (isAudienceMissing(rule)) error("conditions", "Choose an audience: everyone, or users who match a condition.");
  for (const [index, condition] of conditions.entries()) {
    faults.push(...findFaults(condition).map((fault) => ({ ...fault, property: `conditions[${index}].${fault.property}` })));
  }
  return [...faults, ...variantFaults(rule), ...rolloutFaults(rule, now, stored)];
}

function errorOfName(name: string, others: readonly string[]): string | undefined {
  if (name.trim() === "") return "Enter a name.";
  if ([...name].length > MAX_NAME_LENGTH) return `Use at most ${MAX_NAME_LENGTH} characters.`;
  return others.includes(name) ? "Another rule has this name." : undefined;
}

function variantFaults({ variants = [] }: Rule): Fault[] {
  const names = variants.map(({ name }) => name);
  const faults = variants.flatMap(({ name, passPercentage }, index): Fault[] => {
    const message = errorOfName(name, names.toSpliced(index, 1))?.replace("rule", "variant");
    const at = `variants[${index}]`;
    return [
      ...(message === undefined ? [] : [{ property: `${at}.name`, level: "error" as const, message }]),
      ...(isPercentage(passPercentage)
        ? []
        : [{ property: `${at}.passPercentage`, level: "error" as const, message: "Enter a percentage from 0 to 100, in steps of 0.01." }]),
    ];
  });
  const sum = variants.reduce((total, { passPercentage }) => total + passPercentage, 0);
  if (variants.length === 0 || Math.abs(sum - 100) <= 0.001) return faults;
  return [...faults, { property: "variants", level: "error", message: `The shares must add up to 100%. They add up to ${exact(sum)}%.` }];
}

function isPercentage(value: number): boolean {
  return value >= 0 && value <= 100 && Math.abs(value * 100 - Math.round(value * 100)) <= 1e-6;
}

/** A draft has null in place of an empty list of environments. */
function withoutEmptyList(rule: Rule | undefined): Rule | undefined {
  return rule?.environments?.length === 0 ? { ...rule, environments: null } : rule;
}
