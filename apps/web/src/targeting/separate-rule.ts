import { freshName, withEnding } from "./names.ts";
import { copyRule, type DraftRule, insertRule, type RuleItem, type RulesDraft, ruleNames, setEnvironments } from "./rule-draft.ts";
import { otherEnvironments } from "./rule-environments.ts";

/**
 * Splits a rule, so that edits of it change only one environment. The part for this environment keeps the key in the editor, its schedule and the base
 * id, so the same users pass. The part for the others keeps the rule's id and comes next.
 */
export function separateRule(draft: RulesDraft, key: string, environment: string, all: readonly string[]): RulesDraft {
  const at = draft.items.findIndex((item) => item.key === key);
  const original = draft.items[at];
  if (original === undefined) return draft;
  const { rule, newID } = original;
  const others = otherEnvironments(rule, environment, all);
  if (others.length === 0) return draft;
  const name = freshName(withEnding(rule.name, ` (${environment})`), ruleNames(draft));
  const part: DraftRule = { ...copyRule(rule), name, baseID: rule.baseID || rule.id || newID, environments: [environment] };
  const { items, nextKey } = insertRule(setEnvironments(draft, key, others), at, part);
  const [added, rest] = [items[at] as RuleItem, items[at + 1] as RuleItem];
  const swapped = [withKeysOf(added, rest), withKeysOf(rest, added)];
  return { items: items.toSpliced(at, swapped.length, ...swapped), nextKey };
}

const withKeysOf = (item: RuleItem, { key, conditionKeys }: RuleItem): RuleItem => ({ ...item, key, conditionKeys });
