import { equal } from "./equal.ts";
import { copyName, freshName } from "./names.ts";
import type { Condition, Rule } from "./types.ts";

/**
 * A rule as it is edited. A rule that needs an audience has no conditions yet, and is not for everyone until a person chooses that. It cannot be
 * saved before, and the property never reaches the server.
 */
export type DraftRule = Rule & { readonly needsAudience?: true };

/**
 * A rule in the editor. Keys identify it and its conditions for as long as they are edited, and never reach the server. A rule that is not stored
 * yet gets the id `newID` when it is. Users' buckets follow from it, so a test of the draft has the result that the stored rule will have.
 */
export type RuleItem = {
  readonly key: string;
  readonly rule: DraftRule;
  readonly conditionKeys: readonly string[];
  readonly newID: string;
};
/** The rules of an entity in the editor. Every edit returns a new draft. */
export type RulesDraft = { readonly items: readonly RuleItem[]; readonly nextKey: number };

const EMPTY: RulesDraft = { items: [], nextKey: 1 };

/** The draft of stored rules. @param previous a draft of the same rules before they were stored: rules that it has keep their keys */
export function toDraft(rules: readonly DraftRule[], previous: RulesDraft = EMPTY): RulesDraft {
  const known = new Map(previous.items.map((item) => [item.rule.id || `named ${item.rule.name}`, item]));
  let { nextKey } = previous;
  const items = rules.map((stored) => {
    const rule = stored.environments?.length === 0 ? { ...stored, environments: null } : stored;
    const item = known.get(rule.id ?? "") ?? known.get(`named ${rule.name}`);
    if (item?.conditionKeys.length === rule.conditions.length) return { ...item, rule };
    const made = newItem(rule, nextKey, item?.key);
    nextKey += 1 + rule.conditions.length;
    return made;
  });
  return { items, nextKey };
}

/** The rules as a write sends them: each has an id. */
export function toWrittenRules({ items }: RulesDraft): Rule[] {
  return items.map(({ rule: { needsAudience: _unset, ...rule }, newID }) => (rule.id ? rule : { ...rule, id: newID }));
}

/** The rules as they are edited. Rules that are not stored yet have no id. */
export function toRules({ items }: RulesDraft): DraftRule[] {
  return items.map(({ rule }) => rule);
}

/** Whether the draft would change the stored rules. */
export function isChanged(draft: RulesDraft, stored: readonly Rule[]): boolean {
  return !equal(toRules(draft), toRules(toDraft(stored)));
}

/** Adds a rule at the end, for everyone and under a free name unless given otherwise. */
export function addRule(draft: RulesDraft, given: Partial<DraftRule> = {}): RulesDraft {
  const name = freshName(given.name ?? "New rule", ruleNames(draft));
  return insertRule(draft, draft.items.length, { passPercentage: 100, conditions: [], environments: null, ...given, name });
}

export function removeRule(draft: RulesDraft, key: string): RulesDraft {
  return { ...draft, items: draft.items.filter((item) => item.key !== key) };
}

/** Moves the rule at one index to another. Indexes beyond the ends leave the order as it is. */
export function moveRule(draft: RulesDraft, from: number, to: number): RulesDraft {
  const item = draft.items[from];
  if (!item || draft.items[to] === undefined || from === to) return draft;
  return { ...draft, items: draft.items.toSpliced(from, 1).toSpliced(to, 0, item) };
}

/** Moves rules together, in their order, before or after another rule, as dropping them does. */
export function moveRules(draft: RulesDraft, keys: Iterable<string>, target: string, position: "before" | "after"): RulesDraft {
  const moving = new Set(keys);
  const rest = draft.items.filter(({ key }) => !moving.has(key));
  const at = rest.findIndex(({ key }) => key === target);
  if (at === -1) return draft;
  const moved = draft.items.filter(({ key }) => moving.has(key));
  return { ...draft, items: rest.toSpliced(position === "before" ? at : at + 1, 0, ...moved) };
}

/** Adds a copy behind the rule, under a free name. The server gives it new ids. */
export function duplicateRule(draft: RulesDraft, key: string): RulesDraft {
  const at = draft.items.findIndex((item) => item.key === key);
  const original = draft.items[at];
  if (!original) return draft;
  return insertRule(draft, at + 1, { ...copyRule(original.rule), name: copyName(original.rule.name, ruleNames(draft)) });
}

/** The rule without its own data: its ids, its variants' ids, and the rollouts that were carried out. */
export function copyRule({ id: _id, baseID: _baseID, completedAutomatedRollouts: _completed, ...rule }: Rule): Rule {
  return rule.variants ? { ...rule, variants: rule.variants.map(({ id: _variantID, ...variant }) => variant) } : rule;
}

/** Puts another rule at an index. */
export function insertRule(draft: RulesDraft, at: number, rule: DraftRule): RulesDraft {
  return {
    items: draft.items.toSpliced(at, 0, newItem(rule, draft.nextKey)),
    nextKey: draft.nextKey + 1 + rule.conditions.length,
  };
}

/** Replaces a rule. Its conditions keep their number; to add or remove some, use the edits below. */
export function editRule(draft: RulesDraft, key: string, edit: (rule: DraftRule) => DraftRule): RulesDraft {
  return editItem(draft, key, (item) => ({ ...item, rule: { ...edit(item.rule), conditions: item.rule.conditions } }));
}

export function renameRule(draft: RulesDraft, key: string, name: string): RulesDraft {
  return editRule(draft, key, (rule) => ({ ...rule, name }));
}

/** Sets the pass percentage, 0–100, rounded to steps of 0.01. */
export function setPassPercentage(draft: RulesDraft, key: string, percentage: number): RulesDraft {
  return editRule(draft, key, (rule) => ({ ...rule, passPercentage: toPercentage(percentage) }));
}

/** Sets where the rule applies; null means all environments. An empty list is a fault of the draft: the server would take it for all. */
export function setEnvironments(draft: RulesDraft, key: string, environments: readonly string[] | null): RulesDraft {
  return editRule(draft, key, (rule) => ({ ...rule, environments: environments && [...new Set(environments)] }));
}

/** Switches the rule on or off, so that evaluation passes over it. */
export function setEnabled(draft: RulesDraft, key: string, isEnabled: boolean): RulesDraft {
  return editRule(draft, key, (rule) => ({ ...rule, isEnabled }));
}

/** Makes a rule without conditions apply to everyone. */
export function chooseEveryone(draft: RulesDraft, key: string): RulesDraft {
  return editRule(draft, key, ({ needsAudience: _unset, ...rule }) => rule);
}

/** Whether nobody has chosen an audience for the rule. */
export const isAudienceMissing = ({ needsAudience, conditions }: DraftRule): boolean => needsAudience === true && conditions.length === 0;

export function addCondition(draft: RulesDraft, key: string, condition: Condition): RulesDraft {
  const added = editItem(draft, key, ({ rule, conditionKeys, ...item }) => ({
    ...item,
    rule: { ...rule, conditions: [...rule.conditions, condition] },
    conditionKeys: [...conditionKeys, `condition-${draft.nextKey}`],
  }));
  return { ...added, nextKey: draft.nextKey + 1 };
}

export function updateCondition(draft: RulesDraft, key: string, index: number, edit: (condition: Condition) => Condition): RulesDraft {
  return editItem(draft, key, (item) => ({
    ...item,
    rule: { ...item.rule, conditions: item.rule.conditions.map((one, at) => (at === index ? edit(one) : one)) },
  }));
}

export function removeCondition(draft: RulesDraft, key: string, index: number): RulesDraft {
  return editItem(draft, key, ({ rule, conditionKeys, ...item }) => ({
    ...item,
    rule: { ...rule, conditions: rule.conditions.filter((_, at) => at !== index) },
    conditionKeys: conditionKeys.filter((_, at) => at !== index),
  }));
}

/** A percentage within 0–100, rounded to steps of 0.01. */
export function toPercentage(value: number): number {
  return Math.round(Math.min(100, Math.max(0, Number.isNaN(value) ? 0 : value)) * 100) / 100;
}

export function ruleNames({ items }: RulesDraft): string[] {
  return items.map(({ rule }) => rule.name);
}

function newItem(rule: DraftRule, number: number, key = `rule-${number}`): RuleItem {
  const conditionKeys = rule.conditions.map((_, index) => `condition-${number + 1 + index}`);
  return { key, rule, conditionKeys, newID: rule.id || randomID() };
}

const ID_BYTES = 16;

/** 128 random bits in hexadecimal. `crypto.randomUUID` is missing from pages that are served by plain HTTP. */
function randomID(): string {
  return [...crypto.getRandomValues(new Uint8Array(ID_BYTES))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function editItem(draft: RulesDraft, key: string, edit: (item: RuleItem) => RuleItem): RulesDraft {
  return { ...draft, items: draft.items.map((item) => (item.key === key ? edit(item) : item)) };
}
