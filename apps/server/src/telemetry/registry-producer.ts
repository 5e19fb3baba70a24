import { type HrTime, ValueType } from "@opentelemetry/api";
import { millisToHrTime } from "@opentelemetry/core";
import { emptyResource } from "@opentelemetry/resources";
import { AggregationTemporality, type DataPoint, DataPointType, type MetricData, type MetricProducer } from "@opentelemetry/sdk-metrics";
import type { MetricObjectWithValues, MetricValue, Registry } from "prom-client";
import type { OperationRoute } from "../common/tracing.ts";
import { requestDurations } from "./request-durations.ts";

type Labels = MetricValue<string>["labels"];
type Sample = { value: number; labels: Labels; metricName?: string };
type Described = MetricObjectWithValues<MetricValue<string>>;
type Point = { startTime: HrTime; endTime: HrTime };
type Histogram = Extract<MetricData, { dataPointType: DataPointType.HISTOGRAM }>["dataPoints"][number]["value"];

/** Units that names of metrics end in, as UCUM writes them. */
const UNITS: [suffix: string, unit: string][] = [
  ["_seconds", "s"],
  ["_bytes", "By"],
];

/**
 * Returns the metrics that `/metrics` shows, under the same names, for exporters of OpenTelemetry, and the duration of requests under its name in
 * the semantic conventions.
 * @param now ms since the epoch
 */
export function produceFrom(registry: Registry, routes: ReadonlyMap<string, OperationRoute>, now: () => number): MetricProducer {
  const startTime = millisToHrTime(now());
  return {
    async collect() {
      const point = { startTime, endTime: millisToHrTime(now()) };
      const described = (await registry.getMetricsAsJSON()) as unknown as Described[];
      const all = described.map((metric) => toMetric(metric, point)).filter(({ dataPoints }) => dataPoints.length > 0);
      const metrics = [...all, ...all.flatMap((metric) => requestDurations(metric, routes))];
      return { resourceMetrics: { resource: emptyResource(), scopeMetrics: [{ scope: { name: "gatehouse" }, metrics }] }, errors: [] };
    },
  };
}

function toMetric({ name, help, type, values }: Described, point: Point): MetricData {
  const unit = UNITS.find(([suffix]) => name.replace(/_total$/, "").endsWith(suffix))?.[1] ?? "";
  const descriptor = { name, description: help, unit, valueType: ValueType.DOUBLE };
  const aggregationTemporality = AggregationTemporality.CUMULATIVE;
  const samples = values as Sample[];
  // prom-client's typing has numbers for types, and its JSON has names.
  if (String(type) === "histogram") {
    const dataPoints = [...bySeries(samples)].map(([, series]) => toHistogramPoint(series, point));
    return { descriptor, aggregationTemporality, dataPointType: DataPointType.HISTOGRAM, dataPoints };
  }
  const dataPoints = samples.map(({ labels, value }): DataPoint<number> => ({ ...point, attributes: { ...labels } as never, value }));
  if (String(type) === "counter")
    return { descriptor, aggregationTemporality, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints };
  return { descriptor, aggregationTemporality, dataPointType: DataPointType.GAUGE, dataPoints };
}

/** The samples of a histogram by their labels except for the bucket's. */
function bySeries(samples: readonly Sample[]): Map<string, Sample[]> {
  const series = new Map<string, Sample[]>();
  for (const sample of samples) {
    const { le: _le, ...labels } = sample.labels as Record<string, unknown>;
    const key = JSON.stringify(labels);
    const known = series.get(key);
    if (known) known.push(sample);
    else series.set(key, [sample]);
  }
  return series;
}

function toHistogramPoint(series: readonly Sample[], point: Point): DataPoint<Histogram> {
  const read = (suffix: string) => series.find(({ metricName }) => metricName?.endsWith(suffix))?.value ?? 0;
  const buckets = series.filter(({ metricName }) => metricName?.endsWith("_bucket"));
  const finite = buckets.filter(({ labels }) => Number.isFinite(Number(labels.le)));
  // Buckets of Prometheus contain those before them.
  const totals = [...finite.map(({ value }) => value), read("_count")];
  const counts = totals.map((total, index) => total - (totals[index - 1] ?? 0));
  const { le: _le, ...attributes } = (series[0]?.labels ?? {}) as Record<string, string | number>;
  return {
    ...point,
    attributes,
    value: { buckets: { boundaries: finite.map(({ labels }) => Number(labels.le)), counts }, sum: read("_sum"), count: read("_count") },
  };
}
