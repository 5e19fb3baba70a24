import { percentage } from "../charts/format.ts";
import { listValues, onlyValue, readExtra, toNumber } from "./condition-draft.ts";
import { CONDITION_TYPES, conditionInput, effectiveOperator, operatorLabel } from "./condition-types.ts";
import {
  dayValue,
  joined,
  jsonValue,
  operator,
  type Part,
  type ReferenceType,
  reference,
  subject,
  text,
  timeValue,
  toText,
  value,
  valueList,
} from "./parts.ts";
import { type DraftRule, isAudienceMissing } from "./rule-draft.ts";
import type { Condition, ConditionType, Rollout, Rule, Variant } from "./types.ts";

/** The types without operator that refer to something, with words for the relation. */
const RELATIONS: Partial<Record<ConditionType, { words: string; type: ReferenceType }>> = {
  passes_gate: { words: "passes gate", type: "gate" },
  fails_gate: { words: "fails gate", type: "gate" },
  passes_segment: { words: "is in segment", type: "segment" },
  fails_segment: { words: "is not in segment", type: "segment" },
};

const VERBS = { pass: "pass", value: "get", member: "are in it" } as const;
type Outcome = keyof typeof VERBS | "release";

const EVERYONE = "Everyone";

/** Stands for a part that is not filled in yet. */
const BLANK = text("…");

/** A condition in words. */
export function conditionSentence(condition: Condition): Part[] {
  const { type } = condition;
  const relation = RELATIONS[type];
  if (relation) {
    const id = onlyValue(condition);
    const target = id === undefined ? valueList(listValues(condition)) : [reference(relation.type, String(id))];
    return [subject("User"), operator(relation.words), ...(target.length === 0 ? [BLANK] : target), ...unreadParts(condition)];
  }
  const comparison = effectiveOperator(condition);
  if (type === "public") return [subject(EVERYONE), ...unreadParts(condition)];
  return [
    ...subjectParts(condition),
    comparison === undefined ? BLANK : operator(operatorLabel(type, comparison)),
    ...valueParts(condition),
    ...unreadParts(condition),
  ];
}

/** Parts of a condition that its type does not read: only API requests can set them. */
function unreadParts(condition: Condition): Part[] {
  const { extra, operators } = CONDITION_TYPES[condition.type];
  const hasNoValue = conditionInput(condition) === "none";
  const unread = Object.entries({
    field: extra?.property === "field" ? "" : condition.field,
    customID: extra?.property === "customID" ? "" : condition.customID,
    operator: operators.length === 0 ? condition.operator : "",
    targetValue: hasNoValue && listValues(condition).length > 0 ? condition.targetValue : "",
  }).filter(([, given]) => given !== undefined && given !== null && given !== "");
  if (unread.length === 0) return [];
  return [text("(not read:"), ...unread.flatMap(([name, given]) => [text(name), jsonValue(given)]), text(")")];
}

function subjectParts(condition: Condition): Part[] {
  const { label, extra } = CONDITION_TYPES[condition.type];
  const name = readExtra(condition);
  if (!extra || !name) return [subject(label)];
  return extra.kind === "experiment" ? [subject("Group in experiment"), reference("experiment", name)] : [subject(name)];
}

function valueParts(condition: Condition): Part[] {
  const values = listValues(condition);
  const [first] = values;
  const input = conditionInput(condition);
  if (input === "none") return [];
  if (first === undefined) return [BLANK];
  const number = typeof first === "number" ? first : toNumber(first);
  if (input === "time" && number !== undefined) return [timeValue(number)];
  if (input === "day" && number !== undefined) return [dayValue(number)];
  return input === "segment-list" ? [reference("segment", String(first))] : valueList(values);
}

export type RuleContext = {
  /** The outcome of passing: a gate is passed, a dynamic config returns a value, a segment has a member, a release reaches users. */
  outcome?: Outcome;
  /** The unit ID type of the entity. */
  idType?: string;
  /** The project's environments: a rule that is in all of them has no limit. */
  all?: readonly string[];
  /** The rule's name stands before the sentence, which doesn't repeat a name that says “Everyone”. */
  isNamed?: boolean;
};

/**
 * A rule in words: “If Country is any of NO, DK and User passes gate beta: 50% of users pass, only in staging.” Its name is not among them.
 */
export function ruleSentence(rule: DraftRule, { outcome = "pass", idType = "userID", all, isNamed = false }: RuleContext = {}): Part[] {
  const { conditions, environments, isEnabled, passPercentage } = rule;
  if (isAudienceMissing(rule)) return [text("No audience yet.")];
  if (outcome === "release") return [...releaseParts(conditions), ...limitParts(environments, all), text(".")];
  return [
    ...(isEnabled === false ? [text("Switched off:")] : []),
    ...(isNamed && saysEveryone(rule) ? [] : [...audienceSentence(conditions), text(":")]),
    value(percentage(passPercentage)),
    text(`of ${unitNoun(idType)} ${VERBS[outcome]}`),
    ...(outcome === "value" ? outcomeParts(rule) : []),
    ...limitParts(environments, all),
    text("."),
  ];
}

/** The scheduled rollout of a rule: “Scheduled to pass 50% on 2026-12-02 12:00 UTC, 100% on …”. Empty without one. */
export function scheduleSentence(
  { pendingAutomatedRollouts: steps = [] }: Pick<Rule, "pendingAutomatedRollouts">,
  { isPaused = false } = {},
): Part[] {
  if (steps.length === 0) return [];
  return [text(isPaused ? "Scheduled (paused) to pass" : "Scheduled to pass"), ...stepParts(steps)];
}

/** “50% on 2026-12-02 12:00 UTC, 100% on …”. */
export const stepParts = (steps: readonly Rollout[]): Part[] =>
  joined(
    steps.map(({ time, passPercent }) => [value(percentage(passPercent)), text("on"), timeValue(time)]),
    text(","),
  );

/** Whether the name of a rule says that it is for everyone, as its conditions do. */
function saysEveryone({ name, conditions }: DraftRule): boolean {
  return conditions.every(({ type }) => type === "public") && name.trim().toLowerCase() === EVERYONE.toLowerCase();
}

/** The audience of a rule: “Everyone”, or “If …”. Conditions that everyone meets are left out. */
function audienceSentence(conditions: readonly Condition[]): Part[] {
  const limiting = conditions.filter(({ type }) => type !== "public");
  if (limiting.length === 0) return [subject(EVERYONE)];
  return [text("If"), ...joined(limiting.map(conditionSentence), text("and"))];
}

/** The users that a rule of a release reaches, all of them. */
function releaseParts(conditions: readonly Condition[]): Part[] {
  const [everyone, ...audience] = audienceSentence(conditions);
  return audience.length === 0 ? [everyone as Part, text("gets the change")] : [text("Users get the change if"), ...audience];
}

/** The environments of a rule: “In all environments”, or “Only in staging and production”. */
export function environmentsSentence(environments: readonly string[] | null | undefined): Part[] {
  if (!environments) return [text("In all environments")];
  return environments.length === 0 ? [text("In no environment yet")] : [text("Only in"), ...valueList(environments, environments.length)];
}

function limitParts(environments: readonly string[] | null | undefined, all: readonly string[] = []): Part[] {
  if (!environments || (all.length > 0 && all.every((name) => environments.includes(name)))) return [];
  const [, ...names] = environmentsSentence(environments);
  return environments.length === 0 ? [text(", in no environment yet")] : [text(", only in"), ...names];
}

/** The outcome for units that pass a rule of a dynamic config: its value, or one of its variants. */
function outcomeParts({ returnValue, variants = [] }: Rule): Part[] {
  if (variants.length === 0) return [jsonValue(returnValue ?? {})];
  return [text("one of"), ...variants.map(variantValue)];
}

/** A variant: its share and name, with its value as the title. */
export function variantValue({ name, passPercentage, returnValue }: Variant): Part {
  return { kind: "value", text: `${percentage(passPercentage)} ${name}`, title: JSON.stringify(returnValue ?? {}) };
}

/** The name of the units of a type. */
export function unitNoun(idType: string): string {
  if (idType.toLowerCase() === "userid") return "users";
  return idType.toLowerCase() === "stableid" ? "devices" : `${idType} units`;
}

/** Rules as numbered lines of text. */
export function rulesText(rules: readonly Rule[], idType: string, outcome: Outcome = "pass"): string {
  return (
    rules
      .map((rule, index) => `${index + 1}. ${rule.name}: ${toText(ruleSentence(rule, { idType, outcome, isNamed: true }))}`)
      .join("\n") || "No rules"
  );
}
