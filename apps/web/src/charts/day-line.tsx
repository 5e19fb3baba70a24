import { useState } from "react";
import { namedDays } from "../ui/time-text.ts";
import { type ValueAxis as Axis, gutterWidth, numberedAxis, timeAxis } from "./axes.ts";
import { AxisTitles, type Plot, TITLE_ROWS, TimeAxis, ValueAxis } from "./axis.tsx";
import { type BandPoint, bandPaths, shownValues } from "./band.ts";
import charts from "./charts.module.css";
import styles from "./day-line.module.css";
import { Figure } from "./figure.tsx";
import { exact } from "./format.ts";
import { Legend } from "./legend.tsx";
import { MARKS_PX, MarkLines, MarkRows } from "./mark-lines.tsx";
import { type Mark, markColumns, markTime, placeMarks, textsAt, withMarks } from "./marks.ts";
import { dashArray, fillClass, lineClass } from "./paint.tsx";
import { Picker } from "./picker.tsx";
import { useWidth } from "./use-width.ts";

/** A value to compare with, such as a threshold. */
export type Level = { label: string; value: number };

type Props = {
  title: string;
  /** For days, ascending: the time of each is its date at midnight in UTC. */
  points: readonly BandPoint[];
  /** Another line over the same days, with its name: values of the previous period, each at the time of its day in this period. */
  compared?: { label: string; points: readonly BandPoint[] } | undefined;
  /** Time zone of the days. Null if `time` is the number of a day from the start, from 1, instead of a date, or from 0. */
  timeZone: string | null;
  /** Name of the values: Change. */
  column: string;
  axis(values: readonly number[], height: number): Axis;
  /** A point in words. */
  toText(point: BandPoint): string;
  empty: string;
  /** Changes that may explain the values. Only for days with dates. */
  marks?: readonly Mark[] | undefined;
  /** Horizontal lines, each with its name and value in the legend. */
  levels?: readonly Level[] | undefined;
};

const HEIGHT_PX = 200;
const TOP_PX = 10;
const BOTTOM_PX = 24 + TITLE_ROWS.below;
const RIGHT_PX = 10;
/** The paint of the first level, after those of both lines. */
const FIRST_LEVEL = 2;
const DAY_MS = 24 * 60 * 60 * 1_000;

/** A number of each day, with its interval if it has one. */
export function DayLine({ title, points, compared, timeZone, column, axis: createAxis, toText, empty, marks = [], levels = [] }: Props) {
  const isNumbered = timeZone === null;
  const [ref, width] = useWidth();
  const [picked, setPicked] = useState<number | null>(null);
  const values = createAxis(
    [...shownValues(points), ...shownValues(compared?.points ?? []), ...levels.map(({ value }) => value)],
    HEIGHT_PX,
  );
  const left = gutterWidth(values.ticks);
  const top = TOP_PX + TITLE_ROWS.above + (marks.length > 0 ? MARKS_PX : 0);
  const plot: Plot = { left, top, width: Math.max(1, width - left - RIGHT_PX), height: HEIGHT_PX };
  const times = [...points, ...(compared?.points ?? [])].map(({ time }) => time);
  const [first, last] = times.length === 0 ? [0, 0] : [Math.min(...times), Math.max(...times)];
  // A single day is in the middle.
  const margin = first === last ? (isNumbered ? 1 : DAY_MS) : 0;
  const [start, end] = [first - margin, last + margin];
  const axis = isNumbered
    ? numberedAxis(start, end, plot.width, Math.min(1, first))
    : timeAxis(start, end, plot.width, { zone: "utc", unit: "day" });
  const paths = bandPaths(points, axis.scale, values.scale);
  const comparedPath = compared && bandPaths(compared.points, axis.scale, values.scale).line;
  const comparedText = (time: number) => {
    const point = compared?.points.find((one) => one.time === time);
    return point === undefined ? "–" : toText(point);
  };
  const inWords = (point: BandPoint) => (compared ? `${toText(point)}, ${compared.label} ${comparedText(point.time)}` : toText(point));
  const dates = points.map(({ time }) => time);
  const placed = isNumbered ? [] : placeMarks(marks, dates, (mark) => markTime(mark, "day", timeZone), axis.scale);
  const shown = points[picked ?? -1];
  const latest = points.at(-1);
  const formatDay = (time: number) => (isNumbered ? `Day ${time}` : namedDays(time, time + 1, timeZone));
  return (
    <Figure
      title={title}
      summary={latest && `${toText(latest)} at last`}
      empty={points.length === 0 ? empty : undefined}
      table={() => ({
        columns: ["Day", column, ...(compared ? [compared.label] : []), ...markColumns(placed)],
        rows: points.map((point, index) => [
          ...[formatDay(point.time), toText(point), ...(compared ? [comparedText(point.time)] : [])],
          ...(placed.length > 0 ? [textsAt(placed, index).join(". ")] : []),
        ]),
      })}
    >
      <div className={charts.plot} ref={ref}>
        <svg className={charts.svg} height={top + HEIGHT_PX + BOTTOM_PX} aria-hidden="true">
          <ValueAxis ticks={values.ticks} plot={plot} />
          <TimeAxis ticks={axis.ticks} plot={plot} />
          <AxisTitles value={column} time={isNumbered ? "Days" : `Day (${timeZone})`} plot={plot} />
          <MarkLines marks={placed} plot={plot} />
          <g transform={`translate(${plot.left},${plot.top})`}>
            <path className={`${styles.area} ${fillClass(0)}`} d={paths.area} />
            <line className={styles.zero} x2={plot.width} y1={values.scale(0)} y2={values.scale(0)} />
            {levels.map(({ label, value }, index) => (
              <line
                key={label}
                className={`${styles.line} ${lineClass(index + FIRST_LEVEL)}`}
                x2={plot.width}
                y1={values.scale(value)}
                y2={values.scale(value)}
                strokeDasharray={dashArray(index + FIRST_LEVEL)}
              />
            ))}
            {shown && <line className={charts.cursor} x1={axis.scale(shown.time)} x2={axis.scale(shown.time)} y2={HEIGHT_PX} />}
            {compared && <path className={`${styles.line} ${lineClass(1)}`} d={comparedPath} strokeDasharray={dashArray(1) ?? "4 3"} />}
            <path className={`${styles.line} ${lineClass(0)}`} d={paths.line} />
            {points.map(({ time, value }) => (
              <circle
                key={time}
                className={fillClass(0)}
                cx={axis.scale(time)}
                cy={values.scale(value)}
                r={time === shown?.time ? 4.5 : 2.5}
              />
            ))}
          </g>
        </svg>
        <Picker
          label={`${title}, by day`}
          plot={plot}
          width={width}
          positions={points.map(({ time }) => axis.scale(time))}
          picked={picked}
          onPick={setPicked}
          toText={(index) => (points[index] ? withMarks(`${formatDay(points[index].time)}: ${inWords(points[index])}`, placed, index) : "")}
        >
          {shown && (
            <>
              <span className={charts.tooltipTitle}>{formatDay(shown.time)}</span>
              <span className={charts.tooltipRow}>{toText(shown)}</span>
              {compared && (
                <span className={charts.tooltipRow}>
                  {compared.label}: {comparedText(shown.time)}
                </span>
              )}
              <MarkRows texts={textsAt(placed, picked ?? -1)} />
            </>
          )}
        </Picker>
      </div>
      {(compared || levels.length > 0) && (
        <Legend
          kind="line"
          prefix=""
          entries={[
            { id: "now", label: column, paint: 0 },
            ...(compared ? [{ id: "compared", label: compared.label, paint: 1 }] : []),
            ...levels.map(({ label, value }, index) => ({ id: label, label, paint: index + FIRST_LEVEL, value: exact(value) })),
          ]}
        />
      )}
    </Figure>
  );
}
