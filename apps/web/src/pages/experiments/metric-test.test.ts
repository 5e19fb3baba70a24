import { expect, test } from "vitest";
import { metricTestFaults, setNumber, setTestType, toTestType } from "./metric-test.ts";

const metric = { name: "Revenue", type: "sum" };

test("only a test of non-inferiority has a margin, and a two-sided test is the default", () => {
  const tested = setNumber(setTestType(metric, "non_inferiority"), "nonInferiorityMargin", 2);
  expect(tested).toEqual({ ...metric, testType: "non_inferiority", nonInferiorityMargin: 2 });
  expect(setTestType(tested, "one_sided")).toEqual({ ...metric, testType: "one_sided" });
  expect(setTestType(tested, "two_sided")).toEqual(metric);
  expect(setNumber(tested, "nonInferiorityMargin", Number.NaN)).toEqual({ ...metric, testType: "non_inferiority" });
  expect([toTestType("one_sided"), toTestType("other")]).toEqual(["one_sided", "two_sided"]);
});

test("a missing or impossible margin is a fault, unless it is stored", () => {
  const bad = [{ ...metric, testType: "non_inferiority" as const }];
  const fault = { property: "primaryMetrics[0].nonInferiorityMargin", level: "error", message: "Enter a margin above 0 and below 100%." };
  expect(metricTestFaults("primaryMetrics", bad, [])).toEqual([fault]);
  expect(metricTestFaults("primaryMetrics", [{ ...bad[0], ...metric, nonInferiorityMargin: 100 }], [])).toEqual([fault]);
  expect(metricTestFaults("primaryMetrics", bad, bad)).toEqual([]);
  expect(metricTestFaults("primaryMetrics", [metric], [])).toEqual([]);
});
