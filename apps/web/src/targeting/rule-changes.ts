import { percentage } from "../charts/format.ts";
import { type Change, listChange } from "./change.ts";
import { conditionChanges } from "./condition-changes.ts";
import { equal } from "./equal.ts";
import { changedFields, plainChange } from "./field-changes.ts";
import { fieldName, plainValue } from "./field-words.ts";
import { isCut, jsonValue, type Part, subject, text, value } from "./parts.ts";
import type { DraftRule } from "./rule-draft.ts";
import { type MatchedRule, matchRules, movedRules } from "./rule-matching.ts";
import { environmentsSentence, type RuleContext, ruleSentence, stepParts, variantValue } from "./sentences.ts";
import type { Rollout, Rule, Variant } from "./types.ts";
import { textOfValue } from "./values.ts";

type Description = { kind?: Change["kind"]; parts: Part[]; diff?: Change["diff"] };
type Describe = (before: Rule, after: Rule) => Description[];

const ARROW = text("→");

/** How the fields of a rule are described. Null: the server sets the field, or another one says it all. */
const FIELDS = {
  id: null,
  baseID: null,
  completedAutomatedRollouts: null,
  returnValue: null,
  name: (_, { name }) => [{ parts: [text(": renamed to"), subject(quoted(name))] }],
  isEnabled: (_, { isEnabled }) => [{ parts: [text(isEnabled === false ? ": switched off" : ": switched on")] }],
  passPercentage: (before, after) => [
    { parts: [text(": passes"), value(percentage(before.passPercentage)), ARROW, value(percentage(after.passPercentage))] },
  ],
  environments: (before, after) => [{ parts: environmentsChange(before.environments, after.environments) }],
  conditions: (before, after) => {
    const changes = conditionChanges(before.conditions, after.conditions);
    if (changes.length === 0) return [{ parts: [text(": conditions in another order")] }];
    return changes.map(({ kind, parts }) => ({ kind, parts: [text(":"), ...parts] }));
  },
  returnValueJson5: (before, after) => [
    {
      parts: [text(": value"), jsonValue(before.returnValue ?? {}), ARROW, jsonValue(after.returnValue ?? {})],
      diff: { before: textOfValue(before), after: textOfValue(after) },
    },
  ],
  variants: (before, after) => variantChanges(before.variants, after.variants),
  pendingAutomatedRollouts: (_, after) => [{ parts: scheduleChange(after.pendingAutomatedRollouts) }],
} satisfies Record<keyof Rule, Describe | null>;

/** The changes from one list of rules to another. Rules are the same if their ids are, so a rule that only moved is not changed. */
export function ruleChanges(before: readonly Rule[], after: readonly Rule[], context: RuleContext = {}): Change[] {
  const { matched, added, removed } = matchRules(before, after);
  const moved = new Set(movedRules(matched));
  return [
    ...added.flatMap(({ rule, index }) => [whole("added", rule, index, context), ...contents(rule, index, context)]),
    ...matched.flatMap((match) => [...(moved.has(match) ? [describeMove(match)] : []), ...fieldChanges(match)]),
    ...removed.map(({ rule, index }) => whole("removed", rule, index, context)),
  ];
}

function whole(kind: "added" | "removed", rule: Rule, index: number, context: RuleContext): Change {
  return { kind, field: `rules[${index}]`, parts: [...title(rule), text(`${kind}:`), ...ruleSentence(rule, context)] };
}

/** The parts that the sentence of a new rule leaves out: its value if that is long, the values of its variants, and its schedule. */
function contents(rule: Rule, index: number, { outcome }: RuleContext): Change[] {
  const { variants = [], pendingAutomatedRollouts: steps = [] } = rule;
  const added = (field: string, parts: Part[], after?: string): Change => ({
    kind: "added",
    field: `rules[${index}].${field}`,
    parts: [...title(rule), ...parts],
    ...(after !== undefined && { diff: { before: "", after } }),
  });
  const hasValue = textOfValue(rule) !== "{}";
  const isInSentence =
    outcome === "value" && variants.length === 0 && rule.returnValueJson5 === undefined && !isCut(jsonValue(rule.returnValue));
  return [
    ...(hasValue && !isInSentence ? [added("returnValueJson5", [text(": value")], textOfValue(rule))] : []),
    ...variants.map((variant, at) => added(`variants[${at}]`, [text(": variant"), variantValue(variant)], textOfValue(variant))),
    ...(steps.length > 0 ? [added("pendingAutomatedRollouts", scheduleChange(steps))] : []),
    ...otherFields({}, rule).map(({ field, before, after }) =>
      added(field, [text(":"), subject(fieldName(field)), plainValue(field, before), ARROW, plainValue(field, after)]),
    ),
  ];
}

/** The mark of a rule without an audience, which its sentence says and no request has. */
const MARK: keyof DraftRule = "needsAudience";

/** The fields that no words exist for. */
function otherFields(before: object, after: object) {
  return changedFields(before, after).filter(({ field }) => field !== MARK && !Object.hasOwn(FIELDS, field));
}

function describeMove({ before, from, to }: MatchedRule): Change {
  return { kind: "moved", field: `rules[${to}]`, parts: [...title(before), text(`moved from ${from + 1} to ${to + 1}`)] };
}

function fieldChanges({ before, after, to }: MatchedRule): Change[] {
  // An edit keeps the objects of all other rules, so a key costs no comparison of them.
  if (before === after) return [];
  const others = otherFields(before, after).map(({ field, before: old, after: now }) => plainChange(`rules[${to}].${field}`, old, now));
  const known = (Object.keys(FIELDS) as (keyof Rule)[]).flatMap((field) => {
    const toWords: Describe | null = FIELDS[field];
    if (toWords === null || !differs(field, before, after)) return [];
    return toWords(before, after).map(({ kind = "changed", parts, diff }) => ({
      kind,
      field: `rules[${to}].${field}`,
      parts: [...title(before), ...parts],
      ...(diff && { diff }),
    }));
  });
  return [...known, ...others.map((change) => ({ ...change, parts: [...title(before), text(":"), ...change.parts] }))];
}

function differs(field: keyof Rule, before: Rule, after: Rule): boolean {
  if (field === "isEnabled") return (before.isEnabled === false) !== (after.isEnabled === false);
  // A draft may have only one of the two.
  if (field === "returnValueJson5") return !equal(before.returnValue, after.returnValue) || textOfValue(before) !== textOfValue(after);
  if (field === "environments") return !equal(effectiveEnvironments(before.environments), effectiveEnvironments(after.environments));
  if (field === "pendingAutomatedRollouts" || field === "variants") return !equal(before[field] ?? [], after[field] ?? []);
  return !equal(before[field], after[field]);
}

const title = ({ name }: Rule): Part[] => [text("Rule"), subject(quoted(name))];
const quoted = (name: string) => `“${name}”`;
const effectiveEnvironments = (environments: Rule["environments"]) => (environments && environments.length > 0 ? environments : null);

function environmentsChange(before: Rule["environments"], after: Rule["environments"]): Part[] {
  const [old, limit] = [effectiveEnvironments(before), effectiveEnvironments(after)];
  if (old && limit) {
    const difference = listChange(old, limit);
    return difference.length === 0 ? [text(": environments in another order")] : [text(": environments"), ...difference];
  }
  const parts = [...environmentsSentence(old), ARROW, ...environmentsSentence(limit)];
  return [text(":"), ...parts.map((part) => (part.kind === "text" ? text(part.text.toLowerCase()) : part))];
}

function scheduleChange(steps: readonly Rollout[] = []): Part[] {
  return steps.length === 0 ? [text(": no scheduled rollouts any more")] : [text(": scheduled to pass"), ...stepParts(steps)];
}

function variantChanges(before: readonly Variant[] = [], after: readonly Variant[] = []): Description[] {
  const left = [...before];
  const changes = after.flatMap((variant): Description[] => {
    const at = left.findIndex((one) => (one.id && variant.id ? one.id === variant.id : one.name === variant.name));
    const [old] = at === -1 ? [] : left.splice(at, 1);
    if (old === undefined) {
      return [
        { kind: "added", parts: [text(": variant added:"), variantValue(variant)], diff: { before: "", after: textOfValue(variant) } },
      ];
    }
    if (equal({ ...old, id: "" }, { ...variant, id: "" })) return [];
    const diff = { before: textOfValue(old), after: textOfValue(variant) };
    const parts = [text(": variant"), variantValue(old), ARROW, variantValue(variant)];
    return [diff.before === diff.after ? { parts } : { parts, diff }];
  });
  const removed = left.map((variant): Description => ({ kind: "removed", parts: [text(": variant removed:"), variantValue(variant)] }));
  return changes.length + removed.length === 0 ? [{ parts: [text(": variants in another order")] }] : [...changes, ...removed];
}
