import { describe, expect, test } from "vitest";
import { addRule, setEnvironments, toDraft } from "./rule-draft.ts";
import { faultsOfRules } from "./rule-faults.ts";
import type { Rule } from "./types.ts";

const NOW = 100;
const rule = (name: string, more: Partial<Rule> = {}): Rule => ({ name, passPercentage: 100, conditions: [], environments: null, ...more });
const words = (rules: Rule[], stored: Rule[] = []) =>
  faultsOfRules(toDraft(rules), stored, NOW)
    .filter(({ level }) => level === "error")
    .map(({ property, message }) => `${property}: ${message}`);

describe("faultsOfRules", () => {
  test("finds nothing in rules that the server takes", () => {
    expect(words([rule("A", { passPercentage: 0.01, environments: ["staging"] }), rule("B")])).toEqual([]);
  });

  test("finds a rule without an audience", () => {
    const draft = addRule(toDraft([]), { needsAudience: true });
    const message = "Choose an audience: everyone, or users who match a condition.";
    expect(faultsOfRules(draft, [], NOW)).toEqual([{ property: "rules[0].conditions", level: "error", message }]);
  });

  test("warns of a rule that is never reached, once it is new or an edit made it so", () => {
    const [everyone, staff] = [
      rule("All", { id: "1" }),
      rule("Staff", { id: "2", conditions: [{ type: "email", operator: "any", targetValue: ["a"] }] }),
    ];
    const warning = { property: "rules[1]", level: "warning", message: "Never reached: rule 1 matches everyone.", rule: "Staff" };
    expect(faultsOfRules(toDraft([everyone, staff]), [staff, everyone], NOW)).toEqual([warning]);
    expect(faultsOfRules(toDraft([everyone, { ...staff, name: "S" }]), [everyone, staff], NOW)).toEqual([]);
  });

  test("names the rule that the next scheduled step reverts", () => {
    const stored = rule("All", { id: "1", passPercentage: 20, pendingAutomatedRollouts: [{ time: NOW + 1, passPercent: 50 }] });
    const message = "The next scheduled step lowers this to 50% on Jan 1, 1970, 00:00 UTC.";
    expect(faultsOfRules(toDraft([{ ...stored, passPercentage: 80 }]), [stored], NOW)).toEqual([
      { property: "rules[0].passPercentage", level: "warning", message, rule: "All" },
    ]);
  });

  test("names every fault by its path in a request", () => {
    const variant = { name: "Blue", passPercentage: 50 };
    expect(
      words([
        rule(" "),
        rule("A".repeat(101), { passPercentage: 0.001 }),
        rule("Same"),
        rule("Same", { passPercentage: 101, conditions: [{ type: "public" }, { type: "passes_gate" }] }),
        rule("Late", { pendingAutomatedRollouts: [{ time: NOW, passPercent: 100 }] }),
        rule("Values", { variants: [variant, { ...variant, passPercentage: 49.995 }] }),
      ]),
    ).toEqual([
      "rules[0].name: Enter a name.",
      "rules[1].name: Use at most 100 characters.",
      "rules[1].passPercentage: Enter a percentage from 0 to 100, in steps of 0.01.",
      "rules[2].name: Another rule has this name.",
      "rules[3].name: Another rule has this name.",
      "rules[3].passPercentage: Enter a percentage from 0 to 100, in steps of 0.01.",
      "rules[3].conditions[1].targetValue: Choose a gate.",
      "rules[4].pendingAutomatedRollouts[0].time: This time has passed. Choose a later one.",
      "rules[5].variants[0].name: Another variant has this name.",
      "rules[5].variants[1].name: Another variant has this name.",
      "rules[5].variants[1].passPercentage: Enter a percentage from 0 to 100, in steps of 0.01.",
      "rules[5].variants: The shares must add up to 100%. They add up to 99.995%.",
    ]);
  });

  test("an edit that leaves no environment is a fault, since the server would take it for all", () => {
    const draft = toDraft([rule("A", { environments: ["staging"] })]);
    expect(faultsOfRules(setEnvironments(draft, draft.items[0]?.key ?? "", []), [], NOW)).toEqual([
      { property: "rules[0].environments", level: "error", message: "Choose at least one environment, or all." },
    ]);
  });

  test("leaves a rule alone that is as it was stored", () => {
    const old: Rule = rule("Old", { id: "r1", conditions: [{ type: "email", operator: "any", targetValue: [] }], environments: [] });
    expect(words([old], [old])).toEqual([]);
    expect(words([{ ...old, passPercentage: 5 }], [old])).toEqual(["rules[0].conditions[0].targetValue: Add at least one value."]);
  });

  test("rejects more rules than an entity can have", () => {
    const many = Array.from({ length: 1001 }, (_, index) => rule(`Rule ${index}`));
    expect(words(many)).toEqual(["rules: This has 1001 rules. Use at most 1000."]);
  });
});
