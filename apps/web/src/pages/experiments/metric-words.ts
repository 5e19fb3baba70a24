// Changes of an experiment's metrics, in words. Pure.
import type { Schema } from "../../api.ts";
import type { Change } from "../../targeting/change.ts";
import { equal } from "../../targeting/equal.ts";
import { metricChanges, metricsText } from "../../targeting/metric-changes.ts";
import { metricID, metricName } from "../../targeting/metric-id.ts";
import { subject, text, value } from "../../targeting/parts.ts";

type Metric = Schema<"ExperimentMetric">;

/** Additions to a list of metrics and removals, then the changes of each metric. */
export function experimentMetricChanges(
  { field, label }: { field: string; label: string },
  before: readonly Metric[],
  after: readonly Metric[],
): Change[] {
  const effects = after.flatMap((metric, index): Change[] => {
    const old = before.find((one) => metricID(one) === metricID(metric));
    const [from, to] = [old ? describeEffect(old) : NO_EFFECT, describeEffect(metric)];
    if (equal(from, to)) return [];
    const parts = [subject(metricName(metric)), text(": expected effect"), from, text("→"), to];
    return [{ kind: "changed", field: `${field}[${index}]`, parts }];
  });
  const tests = after.flatMap((metric, index): Change[] => {
    const old = before.find((one) => metricID(one) === metricID(metric));
    const [from, to] = [describeTest(old ?? {}), describeTest(metric)];
    if (equal(from, to)) return [];
    const parts = [subject(metricName(metric)), text(": test"), from, text("→"), to];
    return [{ kind: "changed", field: `${field}[${index}].testType`, parts }];
  });
  const changes = metricChanges({ field, label, hasRollouts: false }, before, after);
  return [...changes, ...effects, ...tests];
}

const NO_EFFECT = value("none");

const describeEffect = ({ direction, hypothesizedValue }: Metric) =>
  value([direction, hypothesizedValue !== undefined && `${hypothesizedValue}%`].filter(Boolean).join(" by ") || "none");

const TEST_WORDS = { two_sided: "two-sided", one_sided: "one-sided", non_inferiority: "non-inferiority" };

const describeTest = ({ testType, nonInferiorityMargin: margin }: Partial<Metric>) =>
  value(`${testType === undefined ? "two-sided by default" : TEST_WORDS[testType]}${margin === undefined ? "" : `, margin ${margin}%`}`);

/** The metrics with their guardrails, one per line. */
export const experimentMetricsText = (metrics: readonly Metric[]): string => metricsText(metrics, { hasRollouts: false });
