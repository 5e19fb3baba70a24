import { describe, expect, test } from "vitest";
import { buildConfig, buildExperiment, compileOnce, condition } from "../../../test/support/evaluated-project.ts";

const rule = {
  id: "r1",
  baseID: "r1",
  name: "Beta",
  passPercentage: 40,
  conditions: [{ type: "public" as const }],
  environments: null,
  returnValue: { color: "red" },
};
const spec = {
  type: "dynamic_config",
  salt: "theme",
  defaultValue: { color: "blue" },
  idType: "userID",
  entity: "dynamic_config",
  version: 1,
};
const bucketBelow = (targetValue: number) => condition("user_bucket", { operator: "lt", targetValue, salt: "theme.r1.variants" });

describe("a dynamic config", () => {
  test("returns its rules' values, and an empty object for a rule without one", () => {
    const config = buildConfig("theme", {
      defaultValue: spec.defaultValue,
      rules: [rule, { ...rule, id: "r2", name: "Rest", returnValue: undefined }],
    });
    const compiled = { salt: "r1", passPercentage: 40, conditions: [condition("public")], idType: "userID" };
    expect(compileOnce({ dynamicConfigs: [config] }).dynamic_configs).toEqual([
      {
        ...spec,
        name: "theme",
        enabled: true,
        rules: [
          { ...compiled, id: "r1", name: "Beta", groupName: "Beta", returnValue: { color: "red" } },
          { ...compiled, id: "r2", name: "Rest", groupName: "Rest", returnValue: {} },
        ],
      },
    ]);
  });

  test("has a rule for each variant: a unit passes all or none of them, and gets the first whose bound is above its bucket", () => {
    const variants = [
      { id: "v1", name: "Red", passPercentage: 33.3, returnValue: { color: "red" } },
      { id: "v2", name: "Green", passPercentage: 33.37, returnValue: { color: "green" } },
      { id: "v3", name: "Plain", passPercentage: 33.33 },
    ];
    const config = buildConfig("theme", {
      defaultValue: spec.defaultValue,
      rules: [{ ...rule, returnValue: { color: "grey" }, variants }],
    });
    const compiled = { salt: "r1", passPercentage: 40, idType: "userID" };
    expect(compileOnce({ dynamicConfigs: [config] }).dynamic_configs[0]?.rules).toEqual([
      {
        ...compiled,
        id: "v1",
        name: "Red",
        groupName: "Red",
        conditions: [condition("public"), bucketBelow(333)],
        returnValue: { color: "red" },
      },
      {
        ...compiled,
        id: "v2",
        name: "Green",
        groupName: "Green",
        conditions: [condition("public"), bucketBelow(666.7)],
        returnValue: { color: "green" },
      },
      {
        ...compiled,
        id: "v3",
        name: "Plain",
        groupName: "Plain",
        conditions: [condition("public"), bucketBelow(1000)],
        returnValue: { color: "grey" },
      },
    ]);
  });

  test("that is disabled has no rules, and one that is archived is left out", () => {
    const off = buildConfig("theme", { defaultValue: spec.defaultValue, rules: [rule], isEnabled: false, status: "Disabled" });
    const old = buildConfig("old", { status: "Archived" });
    expect(compileOnce({ dynamicConfigs: [off, old] }).dynamic_configs).toEqual([{ ...spec, name: "theme", enabled: false, rules: [] }]);
  });

  test("and an experiment with the same id: the older one has the name", () => {
    const entities = (config: number, experiment: number) =>
      compileOnce({
        dynamicConfigs: [buildConfig("theme", { createdTime: config })],
        experiments: [buildExperiment("theme", { createdTime: experiment })],
      }).dynamic_configs.map(({ entity }) => entity);
    expect(entities(1, 2)).toEqual(["dynamic_config"]);
    expect(entities(2, 1)).toEqual(["experiment"]);
  });
});
