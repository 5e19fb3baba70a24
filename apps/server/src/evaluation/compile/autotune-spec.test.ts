import { createEvaluator } from "@gatehouse/evaluation";
import { describe, expect, test } from "vitest";
import { buildAutotune, buildConfig, buildExperiment, compileOnce } from "../../../test/support/evaluated-project.ts";

const variants = ["Blue", "Green", "Red"].map((name) => ({ id: name.toLowerCase(), name, json: { color: name } }));
const running = { variants, salt: "s", isStarted: true, startTime: 5 };
const bounds = (autotune: ReturnType<typeof buildAutotune>, autotuneWeights = {}) =>
  compileOnce({ autotunes: [autotune], autotuneWeights }).dynamic_configs[0]?.rules.map(({ id, conditions }) => [
    id,
    conditions[0]?.targetValue,
  ]);

const weights = (buckets: number[], startTime = 5) => ({
  button: { version: 1, createdTime: 1, startTime, shares: variants.map(({ id }, index) => ({ id, buckets: buckets[index] as number })) },
});

describe("an autotune in a ruleset", () => {
  test("not started: one rule for everyone, with the value of the first variant", () => {
    expect(compileOnce({ autotunes: [buildAutotune("button", { variants, salt: "s" })] }).dynamic_configs).toEqual([
      {
        name: "button",
        type: "dynamic_config",
        salt: "s",
        enabled: true,
        defaultValue: { color: "Blue" },
        idType: "userID",
        entity: "autotune",
        rules: [
          {
            id: "prestart",
            name: "prestart",
            groupName: null,
            salt: "prestart",
            passPercentage: 100,
            idType: "userID",
            conditions: [{ type: "public", targetValue: null, operator: null, field: null, additionalValues: {}, idType: "userID" }],
            returnValue: { color: "Blue" },
          },
        ],
        version: 1,
      },
    ]);
  });

  test("running: a rule for each variant, whose bounds are cumulative", () => {
    const [spec] = compileOnce({ autotunes: [buildAutotune("button", running)], autotuneWeights: weights([50, 800, 150]) }).dynamic_configs;
    expect(spec?.rules[1]).toEqual({
      id: "green",
      name: "green",
      groupName: "Green",
      salt: "green",
      passPercentage: 100,
      idType: "userID",
      conditions: [
        { type: "user_bucket", targetValue: 850, operator: "lt", field: null, additionalValues: { salt: "s" }, idType: "userID" },
      ],
      returnValue: { color: "Green" },
    });
    expect(spec?.rules.map(({ conditions }) => conditions[0]?.targetValue)).toEqual([50, 850, 1000]);
  });

  test("without weights of this run, the variants share equally", () => {
    const equal = [
      ["blue", 333],
      ["green", 667],
      ["red", 1000],
    ];
    expect(bounds(buildAutotune("button", running))).toEqual(equal);
    expect(bounds(buildAutotune("button", running), weights([1, 2, 997], 4))).toEqual(equal);
  });

  test("decided: the winner's is the first rule that anyone meets", () => {
    expect(bounds(buildAutotune("button", { ...running, winner: { id: "green", name: "Green" } }), weights([900, 50, 50]))).toEqual([
      ["blue", 0],
      ["green", 1000],
      ["red", 1000],
    ]);
  });

  test("units get variants in the shares of the weights, and a unit the same one again", () => {
    const evaluator = createEvaluator(
      compileOnce({ autotunes: [buildAutotune("button", running)], autotuneWeights: weights([100, 700, 200]) }),
    );
    const seen = { blue: 0, green: 0, red: 0 };
    for (let unit = 0; unit < 10_000; unit++) {
      const { ruleID } = evaluator.config("button", { userID: `u${unit}` });
      expect(evaluator.config("button", { userID: `u${unit}` }).ruleID).toBe(ruleID);
      seen[ruleID as keyof typeof seen] += 1;
    }
    expect(seen.blue / 100).toBeCloseTo(10, -0.5);
    expect(seen.green / 100).toBeCloseTo(70, -0.5);
    expect(seen.red / 100).toBeCloseTo(20, -0.5);
  });

  test("of entities of one id, an older kind is compiled", () => {
    const entities = (given: object) =>
      compileOnce({ autotunes: [buildAutotune("same")], ...given }).dynamic_configs.map(({ entity }) => entity);
    expect(entities({ dynamicConfigs: [buildConfig("same")] })).toEqual(["dynamic_config"]);
    expect(entities({ experiments: [buildExperiment("same")] })).toEqual(["experiment"]);
    expect(entities({ dynamicConfigs: [buildConfig("other")] })).toEqual(["dynamic_config", "autotune"]);
  });
});
