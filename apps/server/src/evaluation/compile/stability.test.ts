import type { Schema } from "@gatehouse/contract/console";
import { createEvaluator } from "@gatehouse/evaluation";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import {
  buckets,
  buildConfig,
  buildExperiment,
  buildGate,
  buildHoldout,
  buildLayer,
  compileOnce,
  group,
  NO_LISTS,
} from "../../../test/support/evaluated-project.ts";

const usersUpTo = (length: number) => Array.from({ length }, (_, index) => ({ userID: `user_${index}`, country: index % 2 ? "NZ" : "DE" }));
const USERS = usersUpTo(20_000);

const CONDITIONS: Schema<"Condition">[] = [
  { type: "public" },
  { type: "country", operator: "any", targetValue: ["NZ"] },
  { type: "user_id", operator: "str_ends_with_any", targetValue: ["3", "7"] },
];

type Given = Parameters<typeof compileOnce>[0];
type Kind = "gate" | "config" | "layer";

/** The value and rule ID of each user, as a text. */
function answers(given: Given, kind: Kind, name: string): string[] {
  const evaluator = createEvaluator(compileOnce(given), { now: 0 });
  return USERS.map((user) => {
    const { value, ruleID } = evaluator[kind](name, user);
    return `${JSON.stringify(value)} ${ruleID}`;
  });
}

function passing(given: Given, name: string): boolean[] {
  const evaluator = createEvaluator(compileOnce(given), { now: 0 });
  return USERS.map((user) => evaluator.gate(name, user).value);
}

const share = (passed: boolean[]) => passed.filter(Boolean).length / passed.length;
const left = (before: boolean[], after: boolean[]) => before.filter((passed, index) => passed && !after[index]).length;
const moved = (before: string[], after: string[]) => before.filter((answer, index) => answer !== after[index]).length;

const rule = (id: string, passPercentage: number, conditions: Schema<"Condition">[] = [{ type: "public" }]) => ({
  id,
  baseID: id,
  name: id,
  passPercentage,
  conditions,
  environments: null,
});
const inNewZealand = rule("nz", 30, [{ type: "country", operator: "any", targetValue: ["NZ"] }]);
const values = [{ ...rule("r", 60), returnValue: { n: 0 }, variants: [variant("a", 30), variant("b", 70)] }];
function variant(id: string, passPercentage: number) {
  return { id, name: id, passPercentage, returnValue: { id } };
}
const groups = [group("control", 50, { color: "red" }), group("test", 50, { color: "green" })];
const running = (from: number, to: number) => ({ status: "active" as const, layerID: "checkout", groups, userBuckets: buckets(from, to) });
const parameters = [{ name: "color", type: "string" as const, defaultValue: "blue" }];

const project = {
  gates: [buildGate("beta", { rules: [inNewZealand, rule("rest", 10)] })],
  dynamicConfigs: [buildConfig("theme", { rules: values })],
  layers: [buildLayer("checkout", { parameters })],
  experiments: [buildExperiment("green", running(0, 400)), buildExperiment("alone", { ...running(0, 500), layerID: null })],
} satisfies Given;
const [beta] = project.gates as [Schema<"Gate">];
const [green, alone] = project.experiments as [Schema<"Experiment">, Schema<"Experiment">];

const NAMES: [Kind, string][] = [
  ["gate", "beta"],
  ["config", "theme"],
  ["config", "green"],
  ["config", "alone"],
  ["layer", "checkout"],
];

describe("an edit that does not change who gets what", () => {
  let before: string[][];
  beforeAll(() => {
    before = NAMES.map(([kind, name]) => answers(project, kind, name));
  });

  test.each<[string, Given]>([
    ["of descriptions and names", rewritten({ description: "other", name: "Other", version: 9 })],
    [
      "that adds entities of every kind",
      {
        ...project,
        gates: [buildGate("aaa", { rules: [rule("nz", 50)] }), beta, buildGate("zzz")],
        experiments: [green, alone, buildExperiment("later", running(400, 600)), buildExperiment("idle", { layerID: "checkout" })].map(
          (one) => (one.id === "later" ? { ...one, status: "setup" as const } : one),
        ),
        holdouts: [buildHoldout("held", { passPercentage: 10 })],
        layers: [...project.layers, buildLayer("menu")],
      },
    ],
    [
      "that renames the rules",
      { ...project, gates: [{ ...beta, rules: beta.rules.map((one) => ({ ...one, name: `${one.name} renamed` })) }] },
    ],
    [
      "that gives a pending rollout",
      {
        ...project,
        gates: [{ ...beta, rules: beta.rules.map((one) => ({ ...one, pendingAutomatedRollouts: [{ time: 1, passPercent: 100 }] })) }],
      },
    ],
    [
      "that adds an override for a user outside this population",
      { ...project, gateOverrides: { beta: { ...NO_LISTS, passingUserIDs: ["nobody"] } } },
    ],
  ])("%s moves none of 20,000 users", (_, given) => {
    for (const [index, [kind, name]] of NAMES.entries()) {
      expect([name, moved(before[index] as string[], answers(given, kind, name))]).toEqual([name, 0]);
    }
  });

  test("an appended rule moves only users that no rule matched before", () => {
    const rules = (...more: ReturnType<typeof rule>[]) => ({ gates: [buildGate("beta", { rules: [inNewZealand, ...more] })] });
    const [former, latter] = [answers(rules(), "gate", "beta"), answers(rules(rule("rest", 10)), "gate", "beta")];
    expect(former.filter((answer, index) => answer !== latter[index] && !answer.endsWith(" default"))).toEqual([]);
    expect(moved(former, latter)).toBe(10_000);
  });

  function rewritten(given: object): Given {
    const all = <E extends object>(entities: E[]) => entities.map((entity) => ({ ...entity, ...given }));
    return {
      gates: all(project.gates),
      dynamicConfigs: all(project.dynamicConfigs),
      layers: all(project.layers),
      experiments: all(project.experiments),
    };
  }
});

describe("raising a share only adds users", () => {
  const STEPS = [0, 0.01, 1, 12.5, 50, 99.99, 100];
  const grows = (given: (percentage: number) => Given, name: string, whole = 1) => {
    let before = USERS.map(() => false);
    for (const percentage of STEPS) {
      const after = passing(given(percentage), name);
      expect(left(before, after)).toBe(0);
      expect(share(after) / whole).toBeCloseTo(percentage / 100, 1);
      before = after;
    }
  };

  test("of a rule", () => {
    grows((percentage) => ({ gates: [buildGate("beta", { rules: [rule("r", percentage)] })] }), "beta");
    grows((percentage) => ({ gates: [buildGate("beta", { rules: [{ ...inNewZealand, passPercentage: percentage }] })] }), "beta", 0.5);
  });

  test("of a holdout", () => {
    grows((passPercentage) => ({ holdouts: [buildHoldout("held", { passPercentage })] }), "held");
  });

  test("of an experiment, with and without a layer, and users stay in their groups", () => {
    for (const layerID of ["checkout", null]) {
      const at = (allocation: number) =>
        answers({ ...project, experiments: [buildExperiment("green", { ...running(0, allocation * 10), layerID })] }, "config", "green");
      const [small, large] = [at(20), at(70)];
      const inGroup = (answer = "") => !answer.endsWith("layerAssignment");
      expect(small.filter((answer, index) => inGroup(answer) && answer !== large[index])).toEqual([]);
      expect(small.filter(inGroup).length / USERS.length).toBeCloseTo(0.2, 1);
      expect(large.filter(inGroup).length / USERS.length).toBeCloseTo(0.7, 1);
    }
  });

  test("of a rule with variants, and users keep their variants", () => {
    const at = (passPercentage: number) =>
      answers({ dynamicConfigs: [buildConfig("theme", { rules: values.map((one) => ({ ...one, passPercentage })) })] }, "config", "theme");
    const [small, large] = [at(20), at(60)];
    expect(small.filter((answer, index) => !answer.startsWith("{} ") && answer !== large[index])).toEqual([]);
    const having = (answers: string[], id: string) => answers.filter((answer) => answer.startsWith(`{"id":"${id}"}`)).length / USERS.length;
    expect([having(large, "a"), having(large, "b")]).toEqual([expect.closeTo(0.18, 2), expect.closeTo(0.42, 2)]);
  });

  test("giving a rule variants does not change who passes it", () => {
    const at = (variants: (typeof values)[0]["variants"]) =>
      answers(
        { dynamicConfigs: [buildConfig("theme", { rules: [{ ...(values[0] as (typeof values)[0]), variants }] })] },
        "config",
        "theme",
      ).map((answer) => answer.startsWith("{} "));
    expect(at([variant("a", 30), variant("b", 70)])).toEqual(at([]));
  });
});

/** Gates of a few rules, with a raise of the share of one of them. */
const raised = fc
  .array(fc.record({ share: fc.integer({ min: 0, max: 10_000 }), condition: fc.constantFrom(...CONDITIONS) }), {
    minLength: 1,
    maxLength: 4,
  })
  .chain((rules) =>
    fc.record({
      rules: fc.constant(rules.map(({ share, condition }, index) => rule(`rule_${index}`, share / 100, [condition]))),
      at: fc.nat({ max: rules.length - 1 }),
      raise: fc.integer({ min: 0, max: 10_000 }),
    }),
  );

test("for any rules of a gate, raising a rule's share keeps everyone who passes, and other edits change nothing", () => {
  fc.assert(
    fc.property(raised, ({ rules, at, raise }) => {
      const more = rules.map((one, index) =>
        index === at ? { ...one, passPercentage: Math.min(100, one.passPercentage + raise / 100) } : one,
      );
      const before = passing({ gates: [buildGate("beta", { rules })] }, "beta");
      expect(left(before, passing({ gates: [buildGate("beta", { rules: more })] }, "beta"))).toBe(0);
      const edited = buildGate("beta", {
        rules: rules.map((one) => ({ ...one, name: `${one.name} again` })),
        description: "edited",
        version: 8,
      });
      const beside = passing({ gates: [edited, buildGate("other", { rules })], gateOverrides: { other: NO_LISTS } }, "beta");
      expect([left(before, beside), left(beside, before)]).toEqual([0, 0]);
    }),
    { numRuns: 5 },
  );
});

test("participation in an experiment is independent of the group, and groups of two experiments are independent", () => {
  const half = (id: string) => buildExperiment(id, { ...running(0, 500), layerID: null });
  const evaluator = createEvaluator(compileOnce({ experiments: [half("one"), half("two")] }), { now: 0 });
  const pairs = new Map<string, number>();
  const users = usersUpTo(100_000);
  for (const user of users) {
    const pair = `${evaluator.config("one", user).ruleID} ${evaluator.config("two", user).ruleID}`;
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1 / users.length);
  }
  const sizes = { layerAssignment: 0.5, control: 0.25, test: 0.25 };
  for (const [one, size] of Object.entries(sizes)) {
    for (const [two, other] of Object.entries(sizes)) expect(pairs.get(`${one} ${two}`)).toBeCloseTo(size * other, 2);
  }
});
