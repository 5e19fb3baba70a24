import type { Schema } from "@gatehouse/contract/console";
import { createEvaluator } from "@gatehouse/evaluation";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { buildConfig, buildGate, compileOnce, EVERYWHERE, ruleIDs } from "../../../test/support/evaluated-project.ts";

const USERS = Array.from({ length: 200 }, (_, index) => ({
  userID: `user_${index}`,
  country: ["NZ", "DE", "FR"][index % 3] as string,
  statsigEnvironment: { tier: ["staging", "production"][index % 2] as string },
}));
const REPLACED = /:before_release$/;

const countries = fc.uniqueArray(fc.constantFrom("NZ", "DE", "FR"), { minLength: 1, maxLength: 2 });
const conditions = fc.oneof<fc.Arbitrary<Schema<"Condition">[]>[]>(
  fc.constant([]),
  fc.constant([{ type: "public" }]),
  countries.map((targetValue) => [{ type: "country", operator: "any", targetValue }]),
);
const environments = fc.constantFrom<(string[] | null)[]>(null, null, ["staging"], ["production"]);
const value = fc.record({ size: fc.constantFrom(1, 2, 3) });
const rules = fc
  .array(
    fc.record({
      id: fc.constantFrom("a", "b", "c"),
      ...{ passPercentage: fc.constantFrom(0, 30, 100), conditions, environments, returnValue: value, isEnabled: fc.boolean() },
    }),
    { maxLength: 3 },
  )
  .map((given) => [...new Map(given.map((one) => [one.id, { ...one, name: one.id, baseID: one.id }])).values()]);
const reached = fc.array(fc.record({ name: fc.constant("phase"), conditions, environments }), { maxLength: 2 });
const scope = fc.constantFrom(EVERYWHERE, { environments: ["staging"], targetApps: [] }, { environments: ["production"], targetApps: [] });

type Content = Schema<"ActiveRelease">["before"];
const content: fc.Arbitrary<Content> = fc.record({ rules, defaultValue: value });
const release = fc.record({ before: content, after: content, reached, scope });

/** Who gets the change, computed from the rules of the phases alone. */
function gets({ country, statsigEnvironment: { tier } }: (typeof USERS)[number], phases: Schema<"ActiveRelease">["rules"]): boolean {
  return phases.some(
    ({ conditions, environments }) =>
      (!environments || environments.includes(tier)) &&
      conditions.every(({ type, targetValue }) => type === "public" || (targetValue as string[]).includes(country)),
  );
}

const inRelease = (before: Content, rules: Schema<"ActiveRelease">["rules"]) => ({
  activeRelease: { releaseID: "release", rules, guardrails: [], before },
});

describe("users that match a rule of a release get exactly the change, and everyone else exactly what was before", () => {
  test("from a gate", () => {
    fc.assert(
      fc.property(release, ({ before, after, reached, scope }) => {
        const evaluator = (given: Partial<Schema<"Gate">>) => createEvaluator(compileOnce({ gates: [buildGate("g", given)] }, scope));
        const [mixed, then, now] = [
          evaluator({ rules: after.rules, ...inRelease(before, reached) }),
          evaluator({ rules: before.rules }),
          evaluator({ rules: after.rules }),
        ];
        for (const user of usersOf(scope)) {
          const { value, ruleID } = mixed.gate("g", user);
          const expected = (gets(user, reached) ? now : then).gate("g", user);
          expect({ value, ruleID: ruleID.replace(REPLACED, "") }).toEqual({ value: expected.value, ruleID: expected.ruleID });
        }
      }),
      { numRuns: 500 },
    );
  });

  test("from a dynamic config, whose default value may change too", () => {
    fc.assert(
      fc.property(release, ({ before, after, reached, scope }) => {
        const evaluator = (given: Partial<Schema<"DynamicConfig">>) =>
          createEvaluator(compileOnce({ dynamicConfigs: [buildConfig("c", given)] }, scope));
        const [mixed, then, now] = [
          evaluator({ ...after, ...inRelease(before, reached) }),
          evaluator({ ...before }),
          evaluator({ ...after }),
        ];
        for (const user of usersOf(scope)) {
          const { value, ruleID } = mixed.config("c", user);
          const expected = (gets(user, reached) ? now : then).config("c", user);
          expect({ value, ruleID: ruleID.replace(REPLACED, "") }).toEqual({ value: expected.value, ruleID: expected.ruleID });
        }
      }),
      { numRuns: 500 },
    );
  });
});

/** A key of one environment evaluates its users. */
function usersOf({ environments: [only] }: typeof EVERYWHERE) {
  return only === undefined ? USERS : USERS.filter(({ statsigEnvironment: { tier } }) => tier === only);
}

describe("a release", () => {
  const rule = (id: string, passPercentage: number) => ({
    ...{ id, baseID: id, name: id },
    passPercentage,
    conditions: [],
    environments: null,
  });

  test("evaluates a rule that the change replaces under another id, so that results compare units of one version of it", () => {
    const [kept, before, after] = [rule("kept", 50), rule("changed", 10), rule("changed", 20)];
    const rules = [
      { name: "NZ", conditions: [{ type: "country" as const, operator: "any" as const, targetValue: ["NZ"] }], environments: null },
    ];
    const gate = buildGate("g", { rules: [kept, after], ...inRelease({ rules: [kept, before] }, rules) });
    const { feature_gates } = compileOnce({ gates: [gate] });
    expect(ruleIDs(feature_gates.find(({ name }) => name === "g"))).toEqual([
      "kept",
      "changed",
      "default",
      "kept",
      "changed:before_release",
    ]);
    expect(feature_gates.map(({ name }) => name)).toEqual(["g", "segment:release:gate:g"]);
  });

  test("adds no gate to the ruleset once it reaches everyone or nobody", () => {
    const names = (rules: Schema<"ActiveRelease">["rules"]) =>
      compileOnce({ gates: [buildGate("g", { rules: [rule("r", 50)], ...inRelease({ rules: [] }, rules) })] }).feature_gates.map(
        ({ name }) => name,
      );
    expect(names([])).toEqual(["g"]);
    expect(names([{ name: "Everyone", conditions: [{ type: "public" }], environments: null }])).toEqual(["g"]);
  });
});
