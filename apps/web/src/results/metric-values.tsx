import type { Schema } from "../api.ts";
import { axisOf, numberAxis } from "../charts/axes.ts";
import { DayLine, type Level } from "../charts/day-line.tsx";
import { counted, percentage } from "../charts/format.ts";
import { averageText, dayText } from "./metric-days.ts";
import { comparePeriods } from "./periods.ts";

type MetricPreview = Schema<"MetricPreview">;
type Props = {
  title: string;
  preview: MetricPreview;
  /** The days before, to compare. */
  before: MetricPreview | undefined;
  /** The unit of a day's value. */
  unit: string;
  /** Values to compare the days with. */
  levels?: readonly Level[] | undefined;
};

const shareAxis = axisOf((share) => percentage(share * 100));

/** The values of a metric by day, and how they compare with the days before. */
export function MetricValues({ title, preview: { days, timeZone, unitType }, before, unit, levels }: Props) {
  const byTime = new Map(days.map((day) => [Date.parse(day.date), day]));
  const times = [...byTime.keys()];
  const points = [...byTime].flatMap(([time, { value }]) => (value === undefined ? [] : [{ time, value }]));
  // The last days of both periods are compared with each other, even if one of them lacks its first days.
  const shift = times.length - (before?.days.length ?? 0);
  const earlier = before?.days.flatMap(({ value }, index) => {
    const time = times[index + shift];
    return value === undefined || time === undefined ? [] : [{ time, value }];
  });
  return (
    <>
      <DayLine
        title={title}
        points={points}
        compared={earlier && { label: "Previous period", points: earlier }}
        timeZone={timeZone}
        column="Value"
        axis={unit === "percent" && days.some(({ denominator }) => denominator !== undefined) ? shareAxis : numberAxis}
        toText={({ time, value }) =>
          `${dayText(value, byTime.get(time), unit)}, of ${counted(byTime.get(time)?.row_count ?? 0, "units")} (${unitType})`
        }
        levels={levels}
        empty="No matching events on these days."
      />
      {before && <p>{comparePeriods(days, before.days, (value) => averageText(value, days.at(-1), unit))}</p>}
    </>
  );
}
