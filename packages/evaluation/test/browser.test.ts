import { expect, test } from "vitest";
import * as browser from "../src/browser.ts";
import * as node from "../src/index.ts";
import { condition, gate, rule, ruleset } from "./support/ruleset.ts";

test("the entry for browsers has the same names as the other", () => {
  expect(Object.keys(browser).toSorted()).toEqual(Object.keys(node).toSorted());
});

test("the entry for browsers knows countries from the application alone", () => {
  const abroad = condition("ip_based", { field: "country", operator: "any", targetValue: ["US"] });
  const given = ruleset({ feature_gates: [gate("g", [rule("r", { conditions: [abroad] })])] });
  const user = { ip: "8.8.8.8" };
  expect(node.createEvaluator(given).gate("g", user).value).toBe(true);
  expect(browser.createEvaluator(given).gate("g", user).value).toBe(false);
  expect(browser.createEvaluator(given, { ipToCountry: () => "US" }).gate("g", user).value).toBe(true);
});
