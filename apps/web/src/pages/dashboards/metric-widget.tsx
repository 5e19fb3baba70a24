import { useQuery } from "@tanstack/react-query";
import { query, type Schema } from "../../api.ts";
import type { Level } from "../../charts/day-line.tsx";
import { storedRequest, unitOfStored } from "../../results/metric-days.ts";
import { MetricValues } from "../../results/metric-values.tsx";
import { useMetricDays } from "../../results/use-metric-days.ts";
import { Loading, Notice } from "../../ui/notice.tsx";
import { WidgetFailure } from "./widget-failure.tsx";
import { USUAL_DAYS } from "./widgets.ts";

type Metric = Schema<"Metric">;
type Range = {
  days?: number | undefined;
  compare?: boolean | undefined;
  /** Values to compare the days of the metric with. */
  levelsFor?: ((metric: Metric) => readonly Level[]) | undefined;
};

/** The values of a metric on the last days. */
export function MetricWidget({ id, ...range }: Range & { id: string }) {
  const { data, error, refetch } = useQuery(query("getMetric", { path: { id } }));
  if (error) return <WidgetFailure noun="metric" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading label="Loading metric" />;
  return <Days metric={data.data} {...range} />;
}

function Days({ metric, days = USUAL_DAYS, compare = false, levelsFor }: Range & { metric: Metric }) {
  const { preview, before, fault, retry } = useMetricDays({ definition: storedRequest(metric), days, isCompared: compare });
  if (fault) return <WidgetFailure noun="metric" error={fault} onRetry={retry} />;
  if (preview === undefined) return <Loading label="Computing" />;
  if (preview.reason !== undefined) return <Notice>{preview.reason}</Notice>;
  return (
    <MetricValues title={`Last ${days} days`} preview={preview} before={before} unit={unitOfStored(metric)} levels={levelsFor?.(metric)} />
  );
}
