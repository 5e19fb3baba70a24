import { expect, test } from "vitest";
import { catchViolations } from "../../../test/support/violations.ts";
import { changeExperiment, newExperiment } from "./experiment.ts";

const context = { actor: { id: "key_1", name: "CONSOLE API", email: null }, projectID: "p", operationID: "createExperiment", now: 1 };
const metric = { name: "Revenue", type: "sum" };
const create = (given: object) => newExperiment({ name: "color", ...given }, undefined, context);

test("a test of non-inferiority needs a margin, and other tests have none", () => {
  const primaryMetrics = [{ ...metric, testType: "non_inferiority" }];
  const secondaryMetrics = [
    { ...metric, nonInferiorityMargin: 2 },
    { ...metric, testType: "one_sided", nonInferiorityMargin: 2 },
  ];
  expect(catchViolations(() => create({ primaryMetrics, secondaryMetrics }))).toEqual([
    { property: "primaryMetrics[0].nonInferiorityMargin", errorMessage: "is required for a test of non-inferiority" },
    { property: "secondaryMetrics[0].nonInferiorityMargin", errorMessage: "must be left out unless testType is non_inferiority" },
    { property: "secondaryMetrics[1].nonInferiorityMargin", errorMessage: "must be left out unless testType is non_inferiority" },
  ]);
});

test.each(["bayesian", "sprt"] as const)(
  "a %s experiment refuses one-sided tests by name, even when another experiment is changed to it",
  (analyticsType) => {
    const otherMetrics = [{ ...metric, testType: "one_sided" as const }];
    const refused = [
      { property: "otherMetrics[0].testType", errorMessage: `must be two_sided in an experiment whose analyticsType is ${analyticsType}` },
    ];
    expect(catchViolations(() => create({ otherMetrics, analyticsType }))).toEqual(refused);
    const frequentist = create({ otherMetrics });
    expect(catchViolations(() => changeExperiment(frequentist, { analyticsType }, undefined, { ...context, now: 2 }))).toEqual(refused);
  },
);
