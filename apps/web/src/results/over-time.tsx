import { useState } from "react";
import { axisOf, changeAxis } from "../charts/axes.ts";
import type { BandPoint } from "../charts/band.ts";
import { DayLine } from "../charts/day-line.tsx";
import type { Mark } from "../charts/marks.ts";
import entity from "../entity/entity.module.css";
import { explain } from "../explain.ts";
import { Select } from "../ui/choice.tsx";
import { Loading, Notice } from "../ui/notice.tsx";
import { toDetectionPoints } from "./detection.ts";
import { preciseChange } from "./digits.ts";
import { numberText, type PulseMetric, toPoints } from "./verdicts.ts";

type Props = {
  /** The metrics that can be chosen. */
  metrics: readonly PulseMetric[];
  /** The same with their days. Undefined while they are read. */
  days: readonly PulseMetric[] | undefined;
  /** Time zone of the days. */
  timeZone: string;
  error: Error | null;
  /** Changes of what is measured. */
  marks?: readonly Mark[] | undefined;
};

/** How the change of a metric came about, day by day. */
export function OverTime({ metrics, days, timeZone, error, marks }: Props) {
  const [chosen, setChosen] = useState<string>();
  const metricID = metrics.find((metric) => metric.metricID === chosen)?.metricID ?? metrics[0]?.metricID ?? "";
  const metric = days?.find((one) => one.metricID === metricID);
  const detectable = toDetectionPoints(metric?.series ?? []);
  return (
    <>
      <div className={entity.row}>
        <Select
          label="Metric"
          options={metrics.map(({ metricID: id, metricName }) => ({ id, label: metricName }))}
          value={metricID}
          onChange={setChosen}
        />
      </div>
      {error && <Notice tone="bad">{explain(error)}</Notice>}
      {days === undefined && error === null && <Loading label="Loading days" />}
      {metric && (
        <>
          <DayLine
            column="Change"
            axis={changeAxis}
            title={`Change of ${metric.metricName} from the start to the end of each day`}
            points={toPoints(metric.series ?? [])}
            timeZone={timeZone}
            marks={marks}
            toText={describe}
            empty={metric.percentile === undefined ? NO_DAYS : NO_DAYS_OF_PERCENTILES}
          />
          {detectable.length > 0 && (
            <DayLine
              column="Minimum detectable effect"
              axis={axisOf((percent) => `${numberText(percent)}%`)}
              title={`Minimum detectable effect of ${metric.metricName} as of the end of each day`}
              points={detectable}
              timeZone={timeZone}
              marks={marks}
              toText={({ value }) => `${numberText(value)}%`}
              empty=""
            />
          )}
        </>
      )}
    </>
  );
}

const NO_DAYS = "No daily results yet. Quick updates skip them.";
const NO_DAYS_OF_PERCENTILES = "Percentiles have no daily results.";

function describe({ value, low, high }: BandPoint): string {
  const error = low === undefined || high === undefined ? undefined : (high - low) / 2;
  const toText = (percent: number) => `${preciseChange(percent, error)}%`;
  return low === undefined || high === undefined ? toText(value) : `${toText(value)} (${toText(low)} to ${toText(high)})`;
}
