import { describe, expect, test } from "vitest";
import { buildProject, condition } from "../../../test/support/evaluated-project.ts";
import { defaultEnvironment, outsideEnvironments, withinEnvironments } from "./environments.ts";
import { toRulesetScope } from "./ruleset-scope.ts";

const reach = (...environments: string[]) => toRulesetScope({ environments, targetApps: [] });
const tier = (operator: string, ...targetValue: string[]) => condition("environment_field", { operator, targetValue, field: "tier" });

describe("withinEnvironments", () => {
  test("a rule without environments has no condition", () => {
    expect(withinEnvironments(null, reach("staging"), "userID")).toEqual([]);
  });

  test("for a key of one environment, a rule applies without a condition or is left out", () => {
    expect(withinEnvironments(["Staging", "production"], reach("staging"), "userID")).toEqual([]);
    expect(withinEnvironments(["production"], reach("staging"), "userID")).toBeUndefined();
    expect(withinEnvironments([], reach("staging"), "userID")).toEqual([]);
  });

  test("for any other key, the condition lists the environments that the key reaches", () => {
    expect(withinEnvironments(["staging"], reach(), "userID")).toEqual([tier("any", "staging")]);
    expect(withinEnvironments(["staging", "production"], reach("production", "development"), "userID")).toEqual([
      tier("any", "production"),
    ]);
    expect(withinEnvironments(["staging"], reach("production", "development"), "userID")).toBeUndefined();
  });
});

describe("outsideEnvironments", () => {
  test("for a key of one environment, a rule applies without a condition or is left out", () => {
    expect(outsideEnvironments(["staging"], reach("production"), "userID")).toEqual([]);
    expect(outsideEnvironments(["staging"], reach("staging"), "userID")).toBeUndefined();
  });

  test("for any other key, the condition lists the excluded environments", () => {
    expect(outsideEnvironments(["staging"], reach(), "userID")).toEqual([tier("none", "staging")]);
    expect(outsideEnvironments([], reach(), "userID")).toEqual([]);
  });
});

describe("defaultEnvironment", () => {
  const { environments } = buildProject({});
  const others = buildProject({ environments: ["blue", "green"] }).environments;

  test("is the key's only environment, else production, else the first that the key reaches", () => {
    expect(defaultEnvironment(environments, reach("staging"))).toBe("staging");
    expect(defaultEnvironment(environments, reach())).toBe("production");
    expect(defaultEnvironment(environments, reach("staging", "production"))).toBe("production");
    expect(defaultEnvironment(environments, reach("staging", "development"))).toBe("development");
    expect(defaultEnvironment(others, reach())).toBe("blue");
  });

  test("is null in a project without environments", () => {
    expect(defaultEnvironment(buildProject({ environments: [] }).environments, reach())).toBeNull();
  });
});
