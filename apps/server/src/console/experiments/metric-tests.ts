import type { Violation } from "../../common/errors.ts";
import type { Experiment } from "./experiment.ts";

export const METRIC_LISTS = ["primaryMetrics", "secondaryMetrics", "otherMetrics"] as const;

/** Rejects a test of non-inferiority without a margin, a margin without such a test, and tests that only frequentist experiments have. */
export function checkMetricTests(experiment: Experiment, violations: Violation[]): void {
  const { analyticsType = "frequentist" } = experiment;
  for (const list of METRIC_LISTS) {
    for (const [index, { testType = "two_sided", nonInferiorityMargin: margin }] of (experiment[list] ?? []).entries()) {
      const reject = (field: string, errorMessage: string) => violations.push({ property: `${list}[${index}].${field}`, errorMessage });
      if (testType !== "two_sided" && analyticsType !== "frequentist")
        reject("testType", `must be two_sided in an experiment whose analyticsType is ${analyticsType}`);
      if (testType === "non_inferiority" && margin === undefined)
        reject("nonInferiorityMargin", "is required for a test of non-inferiority");
      if (testType !== "non_inferiority" && margin !== undefined)
        reject("nonInferiorityMargin", "must be left out unless testType is non_inferiority");
    }
  }
}
