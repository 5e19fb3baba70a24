import { useId, useMemo, useState } from "react";
import { namedDays, span } from "../ui/time-text.ts";
import { countAxis, gutterWidth, timeAxis } from "./axes.ts";
import { AxisTitles, type Plot, TITLE_ROWS, TimeAxis, ValueAxis } from "./axis.tsx";
import styles from "./charts.module.css";
import { Figure } from "./figure.tsx";
import { compact, counted, exact, percentage, share, titled } from "./format.ts";
import { Legend, Swatch } from "./legend.tsx";
import { MARKS_PX, MarkLines, MarkRows } from "./mark-lines.tsx";
import { type Mark, markColumns, placeMarks, textsAt, withMarks } from "./marks.ts";
import { fillUrl, type Paint, Paints } from "./paint.tsx";
import { Picker } from "./picker.tsx";
import { type Binned, binName, binned, type Interval, type Layer, type Series, sum } from "./series.ts";
import { stackedBars } from "./stack.ts";
import { useWidth } from "./use-width.ts";

export type StackedBarsProps = {
  title: string;
  /** Plural of the counted thing: checks. */
  unit: string;
  /** The start of the first interval and the end of the last, milliseconds since the epoch. */
  start: number;
  end: number;
  /** Days are days of UTC. */
  interval: Interval;
  /** The six largest are drawn one by one, the others as their sum. An interval without a point counts zero. */
  series: readonly Series[];
  /** The interval that includes it is drawn as incomplete. */
  now?: number;
  empty?: string;
  /** Of the plot, px. */
  height?: number;
  /** Changes that may explain the values. */
  marks?: readonly Mark[] | undefined;
};

const TOP_PX = 8;
const BOTTOM_PX = 24 + TITLE_ROWS.below;
const MIN_BAR_PX = 4;

/** Counts over time, as bars of an interval each, stacked by series. */
export function StackedBars({
  title,
  unit,
  start,
  end,
  interval,
  series,
  now = Infinity,
  empty,
  height = 176,
  marks = [],
}: StackedBarsProps) {
  const prefix = useId();
  const [ref, width] = useWidth();
  const [picked, setPicked] = useState<number | null>(null);
  const maxBins = Math.max(1, Math.floor((width - 48) / MIN_BAR_PX));
  const data = useMemo(() => binned(series, { start, end, interval, maxBins }), [series, start, end, interval, maxBins]);

  const zone = interval === "day" ? "utc" : "local";
  const values = countAxis(Math.max(0, ...data.totals), height);
  const left = gutterWidth(values.ticks);
  const top = TOP_PX + TITLE_ROWS.above + (marks.length > 0 ? MARKS_PX : 0);
  const plot: Plot = { left, top, width: Math.max(1, width - left), height };
  const times = timeAxis(start, Math.max(end, start + 1), plot.width, { zone, unit: interval });
  const { bars, step } = useMemo(
    () => stackedBars(data, { width: plot.width, height, max: values.max }),
    [data, plot.width, height, values.max],
  );
  const paints = useMemo(() => data.layers.map(choosePaint), [data]);
  // Kept while the pointer moves: these are up to a thousand elements.
  const drawn = useMemo(
    () =>
      bars.map(({ layer, bin, ...box }) => (
        <rect
          key={`${layer} ${bin}`}
          {...box}
          fill={fillUrl(prefix, paints[layer] ?? "rest")}
          opacity={isRunning(data, bin, now) ? 0.55 : undefined}
        />
      )),
    [bars, paints, data, now, prefix],
  );
  const starts = data.bins.map((bin) => bin.start);
  const inRange = marks.filter(({ time }) => time < end);
  // A change in the last interval is later than its start.
  const placed = placeMarks(
    inRange,
    starts,
    ({ time }) => Math.min(time, starts.at(-1) ?? time),
    (time) => (starts.indexOf(time) + 0.5) * step,
  );
  const total = sum(data.totals);
  const at = picked === null ? undefined : data.bins[picked];

  const formatSpan = interval === "day" ? (start: number, end: number) => namedDays(start, end) : span;
  const nameBin = (index: number) => {
    const { start: from, end: to } = data.bins[index] ?? { start, end };
    const name = formatSpan(from, to);
    return from <= now && now < to ? `${name}, so far` : name;
  };

  return (
    <Figure
      title={title}
      summary={`${counted(total, unit)} in ${formatSpan(start, end)}. ${parts(data, unit)}`}
      empty={total === 0 ? (empty ?? `No ${unit} in this time.`) : undefined}
      table={() => ({
        columns: ["Time", ...data.layers.map(({ label }) => label), "Total", ...markColumns(placed)],
        rows: data.bins.map((_, index) => [
          nameBin(index),
          ...data.layers.map((layer) => exact(layer.values[index] ?? 0)),
          exact(data.totals[index] ?? 0),
          ...(placed.length > 0 ? [textsAt(placed, index).join(". ")] : []),
        ]),
      })}
    >
      <div className={styles.plot} ref={ref}>
        <svg className={styles.svg} height={top + height + BOTTOM_PX} aria-hidden="true">
          <Paints prefix={prefix} paints={paints} />
          <ValueAxis ticks={values.ticks} plot={plot} />
          <TimeAxis ticks={times.ticks} plot={plot} />
          <AxisTitles
            value={titled(`${unit} per ${binName(interval, data.intervalsPerBin)}`)}
            time={zone === "utc" ? "Day (UTC)" : "Time"}
            plot={plot}
          />
          <MarkLines marks={placed} plot={plot} />
          <g transform={`translate(${plot.left},${plot.top})`}>
            {picked !== null && at && <rect className={styles.band} x={picked * step} width={step} height={height} />}
            {drawn}
          </g>
        </svg>
        <Picker
          label={`${title}, by ${binName(interval, data.intervalsPerBin)}`}
          plot={plot}
          width={width}
          positions={data.bins.map((_, index) => (index + 0.5) * step)}
          picked={picked}
          onPick={setPicked}
          toText={(index) =>
            withMarks(`${nameBin(index)}: ${counted(data.totals[index] ?? 0, unit)}${details(data, index)}`, placed, index)
          }
        >
          {at !== undefined && picked !== null && (
            <>
              <span className={styles.tooltipTitle}>{nameBin(picked)}</span>
              {data.layers.map((layer, index) =>
                layer.values[picked] ? (
                  <span key={layer.id} className={styles.tooltipRow}>
                    <Swatch prefix={prefix} paint={paints[index] ?? "rest"} />
                    <bdi className={styles.tooltipLabel}>{layer.label}</bdi>
                    <span>{exact(layer.values[picked] ?? 0)}</span>
                  </span>
                ) : null,
              )}
              <span className={styles.tooltipRow}>
                <span>All {unit}</span>
                <span>{exact(data.totals[picked] ?? 0)}</span>
              </span>
              <MarkRows texts={textsAt(placed, picked)} />
            </>
          )}
        </Picker>
      </div>
      <Legend
        kind="fill"
        prefix={prefix}
        entries={data.layers.map((layer, index) => ({
          id: layer.id,
          label: layer.label,
          paint: paints[index] ?? "rest",
          value: `${compact(layer.total)} · ${share(layer.total, total)}`,
          exactValue: `${counted(layer.total, unit)}, ${percentage((layer.total / total) * 100)}`,
        }))}
      />
    </Figure>
  );
}

const choosePaint = (layer: Layer, index: number): Paint => (layer.isRest ? "rest" : index);

function isRunning({ bins }: Binned, index: number, now: number): boolean {
  const bin = bins[index];
  return bin !== undefined && bin.start <= now && now < bin.end;
}

const parts = ({ layers }: Binned, unit: string): string =>
  layers.map(({ label, total }) => `${label}: ${counted(total, unit)}`).join("; ");

function details({ layers }: Binned, index: number): string {
  const some = layers.filter(({ values }) => values[index]).map(({ label, values }) => `${label} ${exact(values[index] ?? 0)}`);
  return some.length > 0 ? `. ${some.join(", ")}` : "";
}
