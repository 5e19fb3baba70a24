import type { Tick } from "./axes.ts";
import styles from "./charts.module.css";

/** The drawing area of a chart within its SVG, px. */
export type Plot = { left: number; top: number; width: number; height: number };

const GAP_PX = 8;

/** Labels and lines of a vertical axis. The lowest line is the base of the chart. */
export function ValueAxis({ ticks, plot }: { ticks: readonly Tick[]; plot: Plot }) {
  return ticks.map(({ at, label }) => (
    <g key={label} transform={`translate(${plot.left},${plot.top + at})`}>
      <line className={at === plot.height ? styles.baseline : styles.grid} x2={plot.width} />
      <text className={styles.tick} x={-GAP_PX} dy="0.32em" textAnchor="end">
        {label}
      </text>
    </g>
  ));
}

/** Labels of a horizontal axis. */
export function TimeAxis({ ticks, plot }: { ticks: readonly Tick[]; plot: Plot }) {
  return ticks.map(({ at, label, anchor }) => (
    <g key={`${at} ${label}`} transform={`translate(${plot.left + at},${plot.top + plot.height})`}>
      <line className={styles.baseline} y2={4} />
      <text className={styles.tick} y={18} textAnchor={anchor ?? "middle"}>
        {label}
      </text>
    </g>
  ));
}

/** Space for axis titles above and below a plot, in px. */
export const TITLE_ROWS = { above: 18, below: 16 };

/** Titles of the axes: the values' above the vertical axis, the times' below the horizontal axis. */
export function AxisTitles({ value, time, plot }: { value: string; time: string; plot: Plot }) {
  return (
    <>
      <text className={styles.axisTitle} x={0} y={11}>
        {value}
      </text>
      <text className={styles.axisTitle} x={plot.left + plot.width / 2} y={plot.top + plot.height + 36} textAnchor="middle">
        {time}
      </text>
    </>
  );
}
