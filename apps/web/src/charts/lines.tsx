import { useMemo, useState } from "react";
import { moment, namedDays } from "../ui/time-text.ts";
import { CHARACTER_PX, countAxis, gutterWidth, percentAxis, spread, timeAxis } from "./axes.ts";
import { AxisTitles, type Plot, TITLE_ROWS, TimeAxis, ValueAxis } from "./axis.tsx";
import charts from "./charts.module.css";
import { Figure } from "./figure.tsx";
import { compact, counted, exact, percentage, titled } from "./format.ts";
import { Legend, LineSwatch } from "./legend.tsx";
import { collectTimes, type DrawnLine, latest, linePaths, shortened } from "./line-paths.ts";
import styles from "./lines.module.css";
import { MARKS_PX, MarkLines, MarkRows } from "./mark-lines.tsx";
import { type Mark, markColumns, markTime, placeMarks, textsAt, withMarks } from "./marks.ts";
import { dashArray, fillClass, lineClass } from "./paint.tsx";
import { Picker } from "./picker.tsx";
import { type Interval, LENGTH_MS, type Series } from "./series.ts";
import { useWidth } from "./use-width.ts";

export type LinesProps = {
  title: string;
  /** Plural of the counted thing: users. */
  unit: string;
  /** Whether the values are percentages of the unit, from 0 to 100, and not counts. */
  isPercent?: boolean;
  /** The period of a point. The time of a day is its date at midnight in UTC. */
  interval: Interval;
  /** Time zone of the days. */
  timeZone?: string;
  series: readonly Series[];
  empty?: string;
  /** Of the plot, px. */
  height?: number;
  /** Changes that may explain the values. */
  marks?: readonly Mark[] | undefined;
};

const TOP_PX = 10;
const BOTTOM_PX = 24 + TITLE_ROWS.below;
/** Lines have their names at their ends where the chart is that wide. px */
const MIN_WIDTH_FOR_NAMES_PX = 520;
const MAX_NAMES = 10;
const MAX_NAME_LENGTH = 18;
const LINE_HEIGHT_PX = 16;
/** A name is this far from the end of its line, behind a sample of it. px */
const NAME_X_PX = 34;

/** Counts over time, as a line for each series. */
export function Lines({ title, unit, isPercent = false, interval, timeZone = "UTC", series, empty, height = 176, marks = [] }: LinesProps) {
  const [ref, width] = useWidth();
  const [picked, setPicked] = useState<number | null>(null);

  const times = useMemo(() => collectTimes(series), [series]);
  const first = times[0] ?? 0;
  const last = times.at(-1) ?? first;
  const zone = interval === "day" ? "utc" : "local";
  const formatTime = (time: number) => (interval === "day" ? namedDays(time, time + 1, timeZone) : moment(time));
  const highest = Math.max(0, ...series.flatMap(({ points }) => points.map(({ value }) => value)));
  const values = isPercent ? percentAxis(height) : countAxis(highest, height);
  const short = isPercent ? percentage : compact;
  const long = (value: number) => (isPercent ? percentage(value) : counted(value, unit));
  const written = ({ values: own }: DrawnLine, index: number) => {
    const value = own[index];
    return value === undefined ? "–" : isPercent ? percentage(value) : exact(value);
  };

  const hasNames = width >= MIN_WIDTH_FOR_NAMES_PX && series.length <= MAX_NAMES;
  const names = series.map(({ label, points }) => `${shortened(label, MAX_NAME_LENGTH)} ${short(latest(points)?.value ?? 0)}`);
  const left = gutterWidth(values.ticks);
  const right = hasNames ? Math.max(0, ...names.map(({ length }) => length)) * CHARACTER_PX + NAME_X_PX : 6;
  const top = TOP_PX + TITLE_ROWS.above + (marks.length > 0 ? MARKS_PX : 0);
  const plot: Plot = { left, top, width: Math.max(1, width - left - right), height };
  // A single time is in the middle.
  const margin = first === last ? LENGTH_MS[interval] : 0;
  const axis = timeAxis(first - margin, last + margin, plot.width, { zone, unit: interval });
  const placed = placeMarks(marks, times, (mark) => markTime(mark, interval, timeZone), axis.scale);
  const lines = linePaths(series, times, axis.scale, values.scale);
  const ends = spread(
    lines.map(({ last: end }) => end?.y ?? height),
    LINE_HEIGHT_PX,
    height,
  );
  const at = picked === null ? undefined : times[picked];

  return (
    <Figure
      title={title}
      summary={lines.map(({ label, last: end }) => `${label}: ${long(end?.value ?? 0)} at last`).join("; ")}
      empty={times.length === 0 ? (empty ?? `No ${unit} yet.`) : undefined}
      table={() => ({
        columns: ["Time", ...lines.map(({ label }) => label), ...markColumns(placed)],
        rows: times.map((time, index) => [
          ...[formatTime(time), ...lines.map((line) => written(line, index))],
          ...(placed.length > 0 ? [textsAt(placed, index).join(". ")] : []),
        ]),
      })}
    >
      <div className={charts.plot} ref={ref}>
        <svg className={charts.svg} height={top + height + BOTTOM_PX} aria-hidden="true">
          <ValueAxis ticks={values.ticks} plot={plot} />
          <TimeAxis ticks={axis.ticks} plot={plot} />
          <AxisTitles value={titled(unit)} time={zone === "utc" ? `Day (${timeZone})` : "Time"} plot={plot} />
          <MarkLines marks={placed} plot={plot} />
          <g transform={`translate(${plot.left},${plot.top})`}>
            {at !== undefined && <line className={charts.cursor} x1={axis.scale(at)} x2={axis.scale(at)} y2={height} />}
            {lines.map(({ id, path, last: end }, index) => (
              <g key={id}>
                <path className={`${styles.line} ${lineClass(index)}`} d={path} strokeDasharray={dashArray(index)} />
                {end && <circle className={fillClass(index)} cx={end.x} cy={end.y} r={3} />}
              </g>
            ))}
            {at !== undefined &&
              picked !== null &&
              lines.map(({ id, values: own }, index) => {
                const value = own[picked];
                return (
                  value !== undefined && (
                    <circle
                      key={id}
                      className={`${styles.point} ${fillClass(index)}`}
                      cx={axis.scale(at)}
                      cy={values.scale(value)}
                      r={4.5}
                    />
                  )
                );
              })}
            {hasNames &&
              lines.map(({ id, label }, index) => (
                <g key={id} transform={`translate(${plot.width},${ends[index]})`}>
                  <title>{label}</title>
                  <path
                    className={`${styles.leader} ${lineClass(index)}`}
                    d={`M5,${(lines[index]?.last?.y ?? 0) - (ends[index] ?? 0)} L10,0 H${NAME_X_PX - 4}`}
                    strokeDasharray={dashArray(index)}
                  />
                  <text className={charts.direct} x={NAME_X_PX} dy="0.32em">
                    {names[index]}
                  </text>
                </g>
              ))}
          </g>
        </svg>
        <Picker
          label={`${title}, by ${interval}`}
          plot={plot}
          width={width}
          positions={times.map(axis.scale)}
          picked={picked}
          onPick={setPicked}
          toText={(index) =>
            withMarks(
              `${formatTime(times[index] ?? 0)}: ${lines.map((line) => `${line.label} ${written(line, index)}`).join(", ")}`,
              placed,
              index,
            )
          }
        >
          {at !== undefined && picked !== null && (
            <>
              <span className={charts.tooltipTitle}>{formatTime(at)}</span>
              {lines.map((line, index) => (
                <span key={line.id} className={charts.tooltipRow}>
                  <LineSwatch index={index} />
                  <bdi className={charts.tooltipLabel}>{line.label}</bdi>
                  <span>{written(line, picked)}</span>
                </span>
              ))}
              <MarkRows texts={textsAt(placed, picked)} />
            </>
          )}
        </Picker>
      </div>
      {!hasNames && (
        <Legend
          kind="line"
          prefix=""
          entries={lines.map(({ id, label, last: end }, index) => ({
            id,
            label,
            paint: index,
            value: short(end?.value ?? 0),
            exactValue: long(end?.value ?? 0),
          }))}
        />
      )}
    </Figure>
  );
}
