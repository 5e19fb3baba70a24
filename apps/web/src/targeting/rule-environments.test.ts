import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyRules } from "./arbitrary.ts";
import { type RulesDraft, toDraft, toRules } from "./rule-draft.ts";
import {
  activeRulesIn,
  type CopyMode,
  compareEnvironments,
  copyToEnvironments,
  rulesIn,
  startingEnvironments,
} from "./rule-environments.ts";
import type { Rule } from "./types.ts";

const rule = (name: string, environments: string[] | null, more: Partial<Rule> = {}): Rule => ({
  id: name,
  baseID: name,
  name,
  passPercentage: 100,
  conditions: [],
  environments,
  ...more,
});
const forCountry = (code: string) => ({ conditions: [{ type: "country" as const, operator: "any" as const, targetValue: [code] }] });
const findKey = (draft: RulesDraft, name: string) => draft.items.find((item) => item.rule.name === name)?.key ?? "";
const overview = (draft: RulesDraft) => toRules(draft).map(({ name, environments }) => `${name}: ${environments?.join(", ") ?? "all"}`);

test("rulesIn finds the rules for an environment in any case of its name; activeRulesIn omits those that are switched off", () => {
  const rules = [rule("A", null), rule("B", ["Staging"]), rule("C", ["production"]), rule("D", [], { isEnabled: false })];
  expect(rulesIn(rules, "staging").map(({ name }) => name)).toEqual(["A", "B", "D"]);
  expect(activeRulesIn(rules, "staging").map(({ name }) => name)).toEqual(["A", "B"]);
});

describe("compareEnvironments", () => {
  const compared = (...rules: Rule[]) =>
    compareEnvironments(toDraft(rules), "staging", "production").map(({ state, a, b }) => [state, a?.rule.name, b?.rule.name]);

  test("shows shared rules once, in order, with those of one environment between them", () => {
    expect(
      compared(
        rule("S", ["staging"], forCountry("NO")),
        rule("All", null),
        rule("P", ["production"]),
        rule("Both", ["production", "staging"]),
      ),
    ).toEqual([
      ["only-a", "S", undefined],
      ["shared", "All", "All"],
      ["only-b", undefined, "P"],
      ["shared", "Both", "Both"],
    ]);
  });

  test("puts rules for the same users side by side, and tells whether they do the same", () => {
    expect(
      compared(
        rule("NO in staging", ["staging"], forCountry("NO")),
        rule("DK in staging", ["staging"], forCountry("DK")),
        rule("SE in production", ["production"], forCountry("SE")),
        rule("NO in production", ["production"], { ...forCountry("NO"), passPercentage: 1 }),
        rule("DK in production", ["production"], forCountry("DK")),
      ),
    ).toEqual([
      ["only-b", undefined, "SE in production"],
      ["different", "NO in staging", "NO in production"],
      ["equal", "DK in staging", "DK in production"],
    ]);
  });

  test("keeps the order of both environments", () => {
    const comparable = anyRules({ stored: true });
    fc.assert(
      fc.property(comparable, (rules) => {
        const rows = compareEnvironments(toDraft(rules), "staging", "production");
        const side = (of: "a" | "b") => rows.flatMap((row) => row[of]?.rule.name ?? []);
        expect(side("a")).toEqual(rulesIn(rules, "staging").map(({ name }) => name));
        expect(side("b")).toEqual(rulesIn(rules, "production").map(({ name }) => name));
      }),
    );
  });
});

describe("copyToEnvironments", () => {
  const schedule = { pendingAutomatedRollouts: [{ time: 1, passPercent: 50 }] };
  const draft = toDraft([
    rule("A", ["staging"], schedule),
    rule("B", null),
    rule("C", ["production"]),
    rule("D", ["staging", "production"]),
  ]);

  test("share: the rule is meant for the others too, and what applies there already is left alone", () => {
    const { draft: shared, copied } = copyToEnvironments(draft, "staging", ["production", "development"], "share");
    expect(overview(shared)).toEqual([
      "A: staging, production, development",
      "B: all",
      "C: production",
      "D: staging, production, development",
    ]);
    expect(copied).toEqual([findKey(draft, "A"), findKey(draft, "D")]);
  });

  test("copy: a separate rule for each environment, behind the original, without its IDs and schedule", () => {
    const { draft: result } = copyToEnvironments(draft, "staging", ["production", "development"], "copy", [findKey(draft, "A")]);
    expect(overview(result)).toEqual([
      "A: staging",
      "A (production): production",
      "A (development): development",
      "B: all",
      "C: production",
      "D: staging, production",
    ]);
    expect(toRules(result)[1]).toEqual({ name: "A (production)", passPercentage: 100, conditions: [], environments: ["production"] });
  });

  test.each<CopyMode>(["share", "copy"])("%s: no environment but the given ones changes", (mode) => {
    fc.assert(
      fc.property(anyRules({ stored: true }), (rules) => {
        const copied = toRules(copyToEnvironments(toDraft(rules), "staging", ["production"], mode).draft);
        for (const other of ["staging", "development"]) expect(deedsIn(copied, other)).toEqual(deedsIn(rules, other));
        expect(rulesIn(copied, "production").length).toBe(
          rules.filter(({ environments }) => !environments || environments.some((name) => name === "staging" || name === "production"))
            .length,
        );
      }),
    );
  });
});

/** The rules' effects in an environment, in order. */
const deedsIn = (rules: readonly Rule[], environment: string) =>
  rulesIn(rules, environment).map(({ passPercentage, conditions, isEnabled }) => ({ passPercentage, conditions, isEnabled }));

describe("startingEnvironments", () => {
  const environment = (name: string, isProduction: boolean) => ({ name, isProduction });

  test("are the ones without real users, or none", () => {
    expect(startingEnvironments([environment("staging", false), environment("live", true)])).toEqual(["staging"]);
    expect(startingEnvironments([environment("live", true)])).toEqual([]);
  });

  test("are all present and future ones in a project without a production environment", () => {
    expect(startingEnvironments([environment("staging", false)])).toBeNull();
  });
});
