import { useId, useState } from "react";
import { moment } from "../ui/time-text.ts";
import { anchored, gutterWidth, percentAxis, timeAxis, withRoom } from "./axes.ts";
import { AxisTitles, type Plot, TITLE_ROWS, TimeAxis, ValueAxis } from "./axis.tsx";
import charts from "./charts.module.css";
import { Figure } from "./figure.tsx";
import { counted, percentage } from "./format.ts";
import { Picker } from "./picker.tsx";
import { drawnTime, isSetByHand, type RolloutPoint, type RolloutStep, rolloutLine, stepPath } from "./rollout.ts";
import styles from "./rollout-schedule.module.css";
import { useWidth } from "./use-width.ts";

export type RolloutScheduleProps = {
  title: string;
  /** The steps that the server has carried out. */
  done: readonly RolloutStep[];
  /** The steps that it will carry out. */
  pending: readonly RolloutStep[];
  /** The pass percentage now, 0 to 100. */
  passPercentage: number;
  /** Milliseconds since the epoch. */
  now: number;
  /** Whether no step is carried out for now, so that each comes later than planned. */
  isPaused?: boolean;
  empty?: string;
  /** Of the plot, px. */
  height?: number;
};

const TOP_PX = 22 + TITLE_ROWS.above;
const BOTTOM_PX = 24 + TITLE_ROWS.below;
const RADIUS_PX = 4.5;

type States = Readonly<Record<RolloutPoint["state"], string>>;

const STATES: States = { done: "done", now: "now", due: "due, not done yet", planned: "planned" };
const PAUSED: States = { ...STATES, due: "paused", planned: "paused" };

/** The pass percentage over time: completed and planned steps. */
export default function RolloutSchedule({
  title,
  done,
  pending,
  passPercentage,
  now,
  isPaused = false,
  empty = "No scheduled rollout.",
  height = 132,
}: RolloutScheduleProps) {
  const clip = useId();
  const [ref, width] = useWidth();
  const [picked, setPicked] = useState<number | null>(null);

  const states = isPaused ? PAUSED : STATES;
  const { points, start, end } = rolloutLine({ done, pending, passPercentage, now });
  const values = percentAxis(height);
  const left = gutterWidth(values.ticks);
  const plot: Plot = { left, top: TOP_PX, width: Math.max(1, width - left), height };
  const times = timeAxis(start, end, plot.width, { zone: "local" });
  const placed = points.map((point) => ({ point, x: times.scale(drawnTime(point, now)), y: values.scale(point.passPercent) }));
  const nowX = times.scale(now);
  const until = placed.filter(({ point }) => point.state === "done" || point.state === "now");
  const from = placed.filter(({ point }) => point.state !== "done");
  const labels = placed.map(({ point, x }) => ({
    ...anchored(x, percentage(point.passPercent), plot.width),
    rank: point.state === "now" ? 0 : 1,
  }));
  const shown = withRoom(labels, 4);
  const current = picked === null ? undefined : points[picked];

  return (
    <Figure
      title={title}
      summary={summarize(points, passPercentage, states)}
      empty={done.length + pending.length === 0 ? empty : undefined}
      table={() => ({
        columns: ["Time", "Pass percentage", "State"],
        rows: points.map((point) => [moment(point.time), percentage(point.passPercent), states[point.state]]),
      })}
    >
      <div className={charts.plot} ref={ref}>
        <svg className={charts.svg} height={TOP_PX + height + BOTTOM_PX} aria-hidden="true">
          <ValueAxis ticks={values.ticks} plot={plot} />
          <TimeAxis ticks={times.ticks} plot={plot} />
          <AxisTitles value="Pass percentage" time="Time" plot={plot} />
          <clipPath id={clip}>
            <rect x={-RADIUS_PX - 1} y={-TOP_PX} width={plot.width + RADIUS_PX + 1} height={height + TOP_PX + RADIUS_PX} />
          </clipPath>
          <g transform={`translate(${plot.left},${plot.top})`} clipPath={`url(#${clip})`}>
            <path className={styles.area} d={`${stepPath(until, nowX)}V${height}H${until[0]?.x ?? 0}Z`} />
            <line className={styles.now} x1={nowX} x2={nowX} y1={-8} y2={height} />
            <path className={styles.planned} d={stepPath(from, plot.width)} />
            <path className={styles.done} d={stepPath(until, nowX)} />
            {placed.map(({ point, x, y }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two steps may be equal, and they are in the order of time.
              <circle key={index} className={styles[point.state]} cx={x} cy={y} r={index === picked ? RADIUS_PX + 2 : RADIUS_PX} />
            ))}
            {placed.map(
              ({ x, y }, index) =>
                shown[index] && (
                  // biome-ignore lint/suspicious/noArrayIndexKey: as above.
                  <text key={index} className={charts.direct} x={x} y={y - 9} textAnchor={labels[index]?.anchor}>
                    {labels[index]?.label}
                  </text>
                ),
            )}
          </g>
          <text
            className={charts.tick}
            x={plot.left + nowX}
            y={TITLE_ROWS.above + 9}
            textAnchor={nowX > plot.width - 16 ? "end" : "middle"}
          >
            now
          </text>
        </svg>
        <Picker
          label={`Steps of ${title}`}
          plot={plot}
          width={width}
          positions={placed.map(({ x }) => x)}
          picked={picked}
          onPick={setPicked}
          toText={(index) => describePoint(points[index], states)}
        >
          {current && (
            <>
              <span className={charts.tooltipTitle}>{moment(current.time)}</span>
              <span className={charts.tooltipRow}>
                <span>{states[current.state]}</span>
                <span>{percentage(current.passPercent)}</span>
              </span>
              {current.state === "now" && isSetByHand(done, passPercentage) && <span>Changed since the last step.</span>}
            </>
          )}
        </Picker>
      </div>
      <ul className={charts.legend}>
        <Key className={styles.done} label="Done" />
        <Key className={styles.planned} label={isPaused ? "Planned (paused)" : "Planned"} />
      </ul>
    </Figure>
  );
}

function Key({ className, label }: { className: string | undefined; label: string }) {
  return (
    <li className={charts.entry}>
      <svg className={charts.lineSwatch} viewBox="0 0 22 14" aria-hidden="true">
        <path className={className} d="M0,7 H22" />
        <circle className={className} cx={11} cy={7} r={3.5} />
      </svg>
      {label}
    </li>
  );
}

function summarize(points: readonly RolloutPoint[], passPercentage: number, states: States): string {
  const count = (state: RolloutPoint["state"]) => points.filter((point) => point.state === state).length;
  const next = points.find(({ state }) => state === "due" || state === "planned");
  const parts = [
    `${percentage(passPercentage)} now`,
    `${counted(count("done"), "steps")} done`,
    `${count("due") + count("planned")} to come`,
  ];
  return `${parts.join(", ")}.${next ? ` Next: ${describePoint(next, states)}.` : ""}`;
}

const describePoint = (point: RolloutPoint | undefined, states: States): string =>
  point === undefined
    ? ""
    : `${percentage(point.passPercent)}, ${states[point.state]}, ${states[point.state] === "paused" ? "later than " : ""}${moment(point.time)}`;
