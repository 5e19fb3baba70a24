// The question that a metric answers, as the page edits it. Pure.
import type { Schema } from "../../api.ts";
import { equal } from "../../targeting/equal.ts";
import type { Fault } from "../../targeting/types.ts";
import type { Option } from "../../ui/choice.tsx";

type Metric = Schema<"ExperimentMetric">;
export type TestType = NonNullable<Metric["testType"]>;

export const TEST_TYPES: readonly (Option & { id: TestType })[] = [
  { id: "two_sided", label: "Does it differ?" },
  { id: "one_sided", label: "Is it better?" },
  { id: "non_inferiority", label: "Is it not worse?" },
];

export const toTestType = (id: string): TestType => TEST_TYPES.find((one) => one.id === id)?.id ?? "two_sided";

/** Only a test of non-inferiority has a margin. */
export function setTestType({ testType: _, nonInferiorityMargin, ...metric }: Metric, testType: TestType): Metric {
  if (testType === "two_sided") return metric;
  const margin = testType === "non_inferiority" && nonInferiorityMargin !== undefined ? { nonInferiorityMargin } : {};
  return { ...metric, testType, ...margin };
}

/** An empty number removes the field. */
export function setNumber<Field extends "nonInferiorityMargin" | "hypothesizedValue">(metric: Metric, field: Field, value: number): Metric {
  const { [field]: _, ...rest } = metric;
  return Number.isNaN(value) ? (rest as Metric) : { ...metric, [field]: value };
}

const isMargin = (margin: number | undefined) => margin !== undefined && margin > 0 && margin < 100;

/** The faults of a draft's tests. Tests that are as they were stored have none. @param field the list that has the metrics */
export function metricTestFaults(field: string, metrics: readonly Metric[], stored: readonly Metric[]): Fault[] {
  return metrics.flatMap((metric, index): Fault[] => {
    if (metric.testType !== "non_inferiority" || stored.some((one) => equal(one, metric)) || isMargin(metric.nonInferiorityMargin))
      return [];
    const property = `${field}[${index}].nonInferiorityMargin`;
    return [{ property, level: "error", message: "Enter a margin above 0 and below 100%." }];
  });
}
