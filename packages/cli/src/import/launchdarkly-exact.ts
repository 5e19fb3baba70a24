import { type Condition, condition } from "./flags.ts";

/** A condition of a rule. It matches users with one of the values. */
export type Clause = { attribute?: string; op: string; values?: unknown[]; negate?: boolean; contextKind?: string };

/** Gatehouse never matches patterns of this length or longer. In characters. */
const PATTERN_LIMIT = 1000;

const INEXACT = "cannot be expressed exactly";

/** Attributes that are always texts. */
const TEXTS: { [attribute: string]: string } = { key: "user_id", email: "email" };

const NUMERIC: { [op: string]: string } = { lessThan: "lt", lessThanOrEqual: "lte", greaterThan: "gt", greaterThanOrEqual: "gte" };

const PARTS: { [op: string]: [before: string, after: string] } = {
  ...{ startsWith: ["^", ""], endsWith: ["", "$"], contains: ["", ""] },
};

/**
 * Conditions that match the same users as a clause, or the reason why Gatehouse has no such conditions. LaunchDarkly compares only values
 * of the same type, and respects case. A negated clause does not match users without the attribute.
 */
export function exactConditions(clause: Clause): Condition[] | string {
  const { attribute = "", op, values = [], negate = false, contextKind = "user" } = clause;
  if (contextKind !== "user" || values.length === 0) return INEXACT;
  if (op === "segmentMatch") return segmentConditions(values, negate);
  if (!isSameAttribute(attribute)) return "tests an attribute that Gatehouse does not read in the same way";
  const isText = Object.hasOwn(TEXTS, attribute);
  if (Object.hasOwn(NUMERIC, op)) {
    const [value] = values;
    if (negate || isText || values.length > 1 || typeof value !== "number") return INEXACT;
    return [test(attribute, NUMERIC[op] as string, value)];
  }
  const texts = values.filter((one): one is string => typeof one === "string" && one !== "");
  if (texts.length < values.length) return "has a value that is not a text, or is empty";
  if (op === "in") {
    if (!isText && texts.some((one) => /^(-?\d+(\.\d+)?|true|false)$/.test(one))) return "has a text that equals a number or a Boolean";
    return listConditions(attribute, texts, negate);
  }
  if (negate) return INEXACT;
  if (op === "matches") return isText && texts.length === 1 ? patternConditions(attribute, texts[0] as string, isSamePattern) : INEXACT;
  if (!Object.hasOwn(PARTS, op)) return INEXACT;
  if (!isText && texts.some(isPartOfOther)) return "has a text that can be a part of a number or a Boolean";
  const [before, after] = PARTS[op] as [string, string];
  const parts = texts.map((one) => one.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return patternConditions(attribute, `${before}(?:${parts.join("|")})${after}`);
}

/** Whether some of the texts differ only in case. Of such texts, conditions keep only one. */
export function differInCase(texts: readonly string[]): boolean {
  const distinct = new Set(texts);
  return new Set(Array.from(distinct, (one) => one.toLowerCase())).size < distinct.size;
}

/** `country` is a custom field, because a condition of that type looks up the country of an IP address. */
function test(attribute: string, operator: string, targetValue?: unknown): Condition {
  const type = Object.hasOwn(TEXTS, attribute) ? TEXTS[attribute] : undefined;
  const operand = { operator, ...(targetValue !== undefined && { targetValue }) };
  return type === undefined ? { type: "custom_field", field: attribute, ...operand } : { type, ...operand };
}

/** LaunchDarkly's own attributes are `key` and `kind`. References into objects begin with a slash. */
function isSameAttribute(attribute: string): boolean {
  if (["key", "email", "country"].includes(attribute)) return true;
  if (attribute === "" || attribute === "kind" || attribute.startsWith("/")) return false;
  return condition(attribute.replaceAll("_", ""), "any").type === "custom_field";
}

function segmentConditions(values: readonly unknown[], negate: boolean): Condition[] | string {
  if (!negate && values.length > 1) return INEXACT;
  return values.map((one) => ({ type: negate ? "fails_segment" : "passes_segment", targetValue: String(one) }));
}

function listConditions(attribute: string, texts: string[], negate: boolean): Condition[] | string {
  if (differInCase(texts)) return "has values that differ only in case";
  if (!negate) return [test(attribute, "any_case_sensitive", texts)];
  if (attribute === "email") return INEXACT;
  const none = test(attribute, "none_case_sensitive", texts);
  return attribute === "key" ? [none] : [test(attribute, "is_not_null"), none];
}

function patternConditions(attribute: string, pattern: string, isExact: (pattern: string) => boolean = () => true): Condition[] | string {
  if (pattern.length >= PATTERN_LIMIT)
    return `becomes a pattern of ${PATTERN_LIMIT.toLocaleString("en")} characters or more, which never matches`;
  return isExact(pattern) ? [test(attribute, "str_matches", pattern)] : INEXACT;
}

/** Gatehouse compares numbers and Booleans as texts. LaunchDarkly does not. */
const isPartOfOther = (text: string) => /^[-.\d]+$/.test(text) || "true".includes(text) || "false".includes(text);

/**
 * Whether all engines read a regular expression in the same way. It has no escaped letters or digits (such as `\d`), options or look-around.
 * Possessive quantifiers, nested or named classes, and repetitions over 99 are refused too.
 */
function isSamePattern(pattern: string): boolean {
  const plain = pattern.replaceAll(/\\[^a-zA-Z0-9\s]/g, "_");
  if (/\\|\(\?(?!:)|[*+?}][*+{]|\[[^\]]*\[|&&|\[\^?\]/.test(plain)) return false;
  return !/[{}]/.test(plain.replaceAll(/\{\d{1,2}(,\d{0,2})?\}/g, ""));
}
