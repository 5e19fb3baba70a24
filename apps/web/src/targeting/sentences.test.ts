import { describe, expect, test } from "vitest";
import { newCondition } from "./condition-draft.ts";
import { toText } from "./parts.ts";
import { conditionSentence, environmentsSentence, type RuleContext, ruleSentence } from "./sentences.ts";
import type { Condition, ConditionType, Rule } from "./types.ts";

/** Aug 1, 2026, 12:30 UTC. */
const NOON = 1_785_587_400_000;

/** At least one sentence for each type of condition. */
const SENTENCES: Record<ConditionType, [Omit<Condition, "type">, string][]> = {
  public: [[{}, "Everyone"]],
  user_id: [
    [{ operator: "any", targetValue: ["a", 7] }, "User ID is any of a, 7"],
    [{ operator: "in_segment_list", targetValue: "testers" }, "User ID is in the list testers"],
  ],
  email: [
    [{ operator: "str_ends_with_any", targetValue: ["@example.com"] }, "Email ends with any of @example.com"],
    [{ operator: "any_case_sensitive", targetValue: ["A@x.io"] }, "Email is any of (case-sensitive) A@x.io"],
    [{ operator: "is_null" }, "Email is missing"],
  ],
  custom_field: [
    [{ field: "age", operator: "gte", targetValue: 18 }, "age is at least 18"],
    [{ field: "plan", operator: "version_lt", targetValue: "2.1" }, "plan is earlier than (version) 2.1"],
    [{ field: "born", operator: "on", targetValue: NOON }, "born is on the day Aug 1, 2026 (UTC)"],
    [{ field: "roles", operator: "array_contains_all", targetValue: ["admin", "owner"] }, "roles has all of admin, owner"],
  ],
  unit_id: [[{ customID: "companyID", operator: "none", targetValue: ["acme"] }, "companyID is none of acme"]],
  app_version: [[{ operator: "version_gte", targetValue: "2.10.0" }, "App version is at least 2.10.0"]],
  target_app: [[{ operator: "any", targetValue: ["web"] }, "Target app is any of web"]],
  os_name: [[{ operator: "any", targetValue: ["iOS"] }, "Operating system is any of iOS"]],
  os_version: [[{ operator: "version_lte", targetValue: "17" }, "Operating system version is at most 17"]],
  browser_name: [[{ operator: "none", targetValue: ["IE"] }, "Browser is none of IE"]],
  browser_version: [[{ operator: "version_gt", targetValue: "120" }, "Browser version is later than 120"]],
  device_model: [[{ operator: "str_contains_any", targetValue: ["Pixel"] }, "Device model contains any of Pixel"]],
  user_agent: [[{ operator: "str_matches", targetValue: "[Bb]ot" }, "User agent matches the pattern [Bb]ot"]],
  url: [[{ operator: "str_contains_any", targetValue: ["/cart"] }, "URL contains any of /cart"]],
  javascript: [[{ operator: "any", targetValue: ["x"] }, "JavaScript value is any of x"]],
  country: [[{ operator: "any", targetValue: ["NO", "DK", "SE", "FI", "IS"] }, "Country is any of NO, DK, SE + 2 more"]],
  locale: [[{ operator: "str_starts_with_any", targetValue: ["nb"] }, "Locale starts with any of nb"]],
  ip_address: [[{ operator: "any", targetValue: ["::1"] }, "IP address is any of ::1"]],
  environment_tier: [
    [{ operator: "none", targetValue: ["staging"] }, "Environment is none of staging"],
    [{ targetValue: "staging" }, "Environment is any of staging"],
  ],
  time: [
    [{ operator: "after", targetValue: NOON }, "Time is after Aug 1, 2026, 12:30 UTC"],
    [{ operator: "before", targetValue: [String(NOON)] }, "Time is before Aug 1, 2026, 12:30 UTC"],
    [{ operator: "after", targetValue: 1e300 }, "Time is after 1e+300"],
  ],
  passes_segment: [[{ targetValue: "staff" }, "User is in segment staff"]],
  fails_segment: [[{ operator: "", targetValue: ["staff"] }, "User is not in segment staff"]],
  passes_gate: [[{ targetValue: "beta" }, "User passes gate beta"]],
  fails_gate: [[{ targetValue: "beta" }, "User fails gate beta"]],
  experiment_group: [
    [{ field: "wording", operator: "any", targetValue: ["Test"] }, "Group in experiment wording is any of Test"],
    [{ field: "wording", operator: "is_null" }, "Group in experiment wording is missing"],
  ],
};

const cases = (Object.keys(SENTENCES) as ConditionType[]).flatMap((type) =>
  SENTENCES[type].map(([more, sentence]): [Condition, string] => [{ type, ...more }, sentence]),
);

describe("conditionSentence", () => {
  test.each(cases)("%j", (condition, sentence) => {
    expect(toText(conditionSentence(condition))).toBe(sentence);
  });

  test("gives values, references and what is hidden as parts of their own", () => {
    expect(conditionSentence({ type: "country", operator: "any", targetValue: ["NO", "DK", "SE", "FI"] })).toEqual([
      { kind: "subject", text: "Country" },
      { kind: "operator", text: "is any of" },
      { kind: "value", text: "NO" },
      { kind: "value", text: "DK" },
      { kind: "value", text: "SE" },
      { kind: "more", text: "+ 1 more", values: ["FI"] },
    ]);
    expect(conditionSentence({ type: "passes_gate", targetValue: "beta" })[2]).toEqual({
      kind: "reference",
      text: "beta",
      type: "gate",
      id: "beta",
    });
    expect(conditionSentence({ type: "time", operator: "after", targetValue: NOON })[2]).toEqual({
      kind: "value",
      text: "Aug 1, 2026, 12:30 UTC",
      time: NOON,
    });
  });

  test.each<[ConditionType, string]>([
    ["email", "Email is any of …"],
    ["custom_field", "Custom field is any of …"],
    ["passes_gate", "User passes gate …"],
    ["experiment_group", "Experiment group is any of …"],
    ["time", "Time is before …"],
  ])("shows what a new condition of type %s lacks", (type, sentence) => {
    expect(toText(conditionSentence(newCondition(type)))).toBe(sentence);
  });
});

describe("ruleSentence", () => {
  const rule: Rule = { name: "R", passPercentage: 50, conditions: [] };
  const said = (more: Partial<Rule>, context?: RuleContext) => toText(ruleSentence({ ...rule, ...more }, context));
  const mail: Condition = { type: "email", operator: "str_ends_with_any", targetValue: ["@example.com"] };
  const nordic: Condition = { type: "country", operator: "any", targetValue: ["NO", "DK"] };

  test("names the users that it matches and how many of them pass", () => {
    expect(said({ conditions: [mail, nordic] })).toBe(
      "If Email ends with any of @example.com and Country is any of NO, DK: 50% of users pass.",
    );
    expect(said({})).toBe("Everyone: 50% of users pass.");
    expect(said({ conditions: [{ type: "public" }], passPercentage: 0.1 })).toBe("Everyone: 0.1% of users pass.");
    expect(said({ conditions: [{ type: "public" }, nordic] })).toBe("If Country is any of NO, DK: 50% of users pass.");
  });

  test("doesn't repeat a name before it that says “Everyone”", () => {
    const named = { isNamed: true };
    expect(said({ name: "Everyone" }, named)).toBe("50% of users pass.");
    expect(said({ name: "everyone", conditions: [{ type: "public" }] }, named)).toBe("50% of users pass.");
    expect(said({ name: "Everyone", conditions: [nordic] }, named)).toBe("If Country is any of NO, DK: 50% of users pass.");
    expect(said({ name: "Rest" }, named)).toBe("Everyone: 50% of users pass.");
    expect(said({ name: "Everyone" })).toBe("Everyone: 50% of users pass.");
  });

  test("names the units", () => {
    expect(said({}, { idType: "stableID" })).toBe("Everyone: 50% of devices pass.");
    expect(said({}, { idType: "companyID" })).toBe("Everyone: 50% of companyID units pass.");
  });

  test("says where it applies, and that it is switched off", () => {
    expect(said({ environments: ["staging", "production"] })).toBe("Everyone: 50% of users pass, only in staging, production.");
    expect(said({ environments: ["staging", "production"] }, { all: ["production", "staging"] })).toBe("Everyone: 50% of users pass.");
    expect(said({ environments: ["staging"] }, { all: ["production", "staging"] })).toBe("Everyone: 50% of users pass, only in staging.");
    expect(said({ environments: [] })).toBe("Everyone: 50% of users pass, in no environment yet.");
    expect(said({ environments: null, isEnabled: true })).toBe("Everyone: 50% of users pass.");
    expect(said({ conditions: [nordic], isEnabled: false })).toBe("Switched off: If Country is any of NO, DK: 50% of users pass.");
  });

  test("of a dynamic config says which value or variants users get", () => {
    const context = { outcome: "value" } as const;
    expect(said({ returnValue: { color: "blue" } }, context)).toBe('Everyone: 50% of users get {"color":"blue"}.');
    const variants = [
      { name: "Blue", passPercentage: 33.3, returnValue: { color: "blue" } },
      { name: "Red", passPercentage: 66.7, returnValue: { color: "red" } },
    ];
    expect(said({ variants }, context)).toBe("Everyone: 50% of users get one of 33.3% Blue, 66.7% Red.");
    expect(ruleSentence({ ...rule, variants }, context)).toContainEqual({ kind: "value", text: "33.3% Blue", title: '{"color":"blue"}' });
  });

  test("cuts a long value, with the whole one as its title", () => {
    const returnValue = { text: "a".repeat(100) };
    const whole = JSON.stringify(returnValue);
    expect(ruleSentence({ ...rule, returnValue }, { outcome: "value" })).toContainEqual({
      kind: "value",
      text: `${whole.slice(0, 59)}…`,
      title: whole,
    });
  });
});

test("environmentsSentence says where a rule applies", () => {
  expect(toText(environmentsSentence(null))).toBe("In all environments");
  expect(toText(environmentsSentence(["a", "b", "c", "d"]))).toBe("Only in a, b, c, d");
  expect(toText(environmentsSentence([]))).toBe("In no environment yet");
});
