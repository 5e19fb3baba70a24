import type { Schema } from "@gatehouse/contract/console";
import type { Random } from "./random.ts";
import * as words from "./vocabulary.ts";

export type Condition = Schema<"Condition">;

/** The entities that conditions of a project can reference, and whether they list values that the generations of SDKs read differently. */
export type Named = { gates: string[]; segments: string[]; isOdd: boolean; hasReleases: boolean };

type Operator = Exclude<Condition["operator"], "" | null | undefined>;

const LIST = ["any", "none", "any_case_sensitive", "none_case_sensitive"] as const;
const TEXT = [...LIST, "str_starts_with_any", "str_ends_with_any", "str_contains_any", "str_contains_none"] as const;
const NUMBER = ["gt", "gte", "lt", "lte", "eq", "neq"] as const;
const VERSION = ["version_gt", "version_gte", "version_lt", "version_lte", "version_eq", "version_neq"] as const;
const ARRAY = ["array_contains_any", "array_contains_none", "array_contains_all", "not_array_contains_all"] as const;
const MOMENT = ["before", "after", "on"] as const;
/** Patterns with the same meaning in JavaScript and Rust. */
const PATTERNS = ["^a", "example\\.com$", "[0-9]{2,}", "^(Bob|carol)"];

/**
 * Any condition that server SDKs support. Omits cases that the two generations evaluate differently: "" among the targets, which they
 * match or do not match in users without the field, and flags in a pattern, which only the newer one supports.
 */
export function randomCondition(random: Random, named: Named): Condition {
  return inAnyForm(random, random.pick(KINDS)(random, named) ?? { type: "public" });
}

/** A condition that a segment can have. */
export function randomSegmentCondition(random: Random, named: Named): Condition {
  const condition = random.pick(SEGMENT_KINDS)(random, named) ?? {
    type: "email",
    operator: "any",
    targetValue: [random.pick(words.EMAILS)],
  };
  return inAnyForm(random, condition);
}

/** The condition, sometimes with its target values as a list of strings, the only form that some clients send. */
function inAnyForm(random: Random, condition: Condition): Condition {
  if (!random.chance(0.3)) return condition;
  const { operator = "", targetValue = [] } = condition;
  return { ...condition, operator, targetValue: [targetValue ?? []].flat().map(String) };
}

type Kind = (random: Random, named: Named) => Condition | undefined;

const text =
  (subject: Condition, choices: readonly string[], operators: readonly Operator[] = TEXT): Kind =>
  (random, { isOdd }) => {
    const targets = random.some(choices);
    const [first] = targets;
    const condition = { ...subject, operator: random.pick(operators) };
    if (first === undefined || random.chance(0.7)) return { ...condition, targetValue: targets };
    return { ...condition, targetValue: isOdd ? [first.toUpperCase(), ...targets] : first };
  };

const one =
  (subject: Condition, choices: readonly (string | number)[], operators: readonly Operator[]): Kind =>
  (random) => ({ ...subject, operator: random.pick(operators), targetValue: random.pick(choices) });

const custom = (field: string): Condition => ({ type: "custom_field", field });

const reference =
  (type: Condition["type"], list: "gates" | "segments"): Kind =>
  (random, named) =>
    named[list].length > 0 ? { type, targetValue: random.pick(named[list]) } : undefined;

/** The condition with some of its addresses as ranges around them, where the operator can have any. */
function withRanges(condition: Condition | undefined): Condition | undefined {
  if (condition?.operator !== "any") return condition;
  const targets = [condition.targetValue ?? []].flat().map(String);
  return { ...condition, targetValue: targets.map((address) => words.RANGES.get(address) ?? address) };
}

const SEGMENT_KINDS: Kind[] = [
  text({ type: "user_id" }, words.USER_IDS),
  text({ type: "unit_id", customID: "companyID" }, words.COMPANY_IDS),
  text({ type: "email" }, words.EMAILS.concat("@example.com", "ann")),
  one({ type: "email" }, PATTERNS, ["str_matches"]),
  text({ type: "country" }, words.COUNTRIES, LIST),
  (random, named) => withRanges(text({ type: "ip_address" }, words.IPS, LIST)(random, named)),
  one({ type: "app_version" }, words.VERSIONS, VERSION),
  text({ type: "browser_name" }, words.BROWSERS, LIST),
  one({ type: "browser_version" }, ["100", "141.0"], VERSION),
  one({ type: "os_version" }, ["10", "10.15.7", "18"], VERSION),
  text({ type: "os_name" }, words.SYSTEMS, LIST),
  text({ type: "environment_tier" }, words.TIERS, ["any", "none"]),
  text(custom("plan"), words.PLANS),
  text(custom("Plan"), words.PLANS),
  one(custom("plan"), PATTERNS, ["str_matches"]),
  one(custom("age"), words.NUMBERS, NUMBER),
  text(custom("beta"), ["true", "false"], LIST),
  text(custom("roles"), words.ROLES, ARRAY),
  one(custom("build"), words.VERSIONS, VERSION),
  one(custom("joined"), words.MOMENTS, MOMENT),
  text(custom("note"), ["🗻", "a", "b"]),
  (random) => ({ ...custom(random.pick(["plan", "age", "nowhere"])), operator: random.pick(["is_null", "is_not_null"]) }),
  reference("passes_segment", "segments"),
  reference("fails_segment", "segments"),
];

const KINDS: Kind[] = [
  ...SEGMENT_KINDS,
  () => ({ type: "public" }),
  one({ type: "time" }, words.MOMENTS, ["before", "after"]),
  text({ type: "locale" }, words.LOCALES),
  reference("passes_gate", "gates"),
  reference("fails_gate", "gates"),
];
