// A test group's change of a whole metric, in words. Pure.
import { preciseChange } from "./digits.ts";
import { differenceText, unitOfTotal, type ValueUnit } from "./units.ts";
import { numberText, type PulseMetric } from "./verdicts.ts";

/** Known values of an impact: in the metric's own unit per day, and in percent of the whole metric. */
type Impact = { absolute: string; relative: string | undefined };

export type ToplineRow = {
  metricID: string;
  metricName: string;
  now: Impact | undefined;
  projected: Impact | undefined;
  reason: string | undefined;
  /** The computation of the impact. */
  worked: string;
};

/** The metrics that have anything to say about the whole. */
export function toplineRows(metrics: readonly PulseMetric[]): ToplineRow[] {
  return metrics.flatMap((metric) => {
    const { metricID, metricName, topline } = metric;
    if (!topline) return [];
    const unit = unitOfTotal(metric);
    const now = toImpact(
      unit,
      [metric.absoluteToplineImpact, metric.absoluteToplineImpactDelta],
      [metric.relativeToplineImpact, metric.relativeToplineImpactDelta],
    );
    const projected = toImpact(
      unit,
      [metric.projectedAbsoluteToplineImpact, metric.projectedAbsoluteToplineImpactDelta],
      [metric.projectedRelativeToplineImpact, metric.projectedRelativeToplineImpactDelta],
    );
    return [{ metricID, metricName, now, projected, reason: topline.reason, worked: basisText(topline) }];
  });
}

function basisText({ days, total, share }: NonNullable<PulseMetric["topline"]>): string {
  const parts = [
    `${numberText(days)} ${days === 1 ? "day" : "days"}`,
    ...(total === undefined ? [] : [`a total of ${numberText(total)}`]),
    ...(share === undefined ? [] : [`a share of ${numberText(share)}`]),
  ];
  return parts.join(", ");
}

type WithHalfWidth = [value: number | undefined, halfWidth: number | undefined];

function toImpact(unit: ValueUnit, [perDay, delta]: WithHalfWidth, [percent, percentDelta]: WithHalfWidth): Impact | undefined {
  if (perDay === undefined || delta === undefined) return undefined;
  const hasPercent = percent !== undefined && percentDelta !== undefined;
  return {
    absolute: withInterval(perDay, delta, (value) => differenceText(value, delta, unit)),
    relative: hasPercent ? withInterval(percent, percentDelta, (value) => `${preciseChange(value, percentDelta)}%`) : undefined,
  };
}

const withInterval = (value: number, halfWidth: number, toText: (value: number) => string): string =>
  `${toText(value)} (${toText(value - halfWidth)} to ${toText(value + halfWidth)})`;
