import { anchored, areApart } from "../charts/axes.ts";
import { signed } from "../charts/format.ts";
import { useWidth } from "../charts/use-width.ts";
import { percentChangeTexts } from "./means.ts";
import { isBeyond, type LiftAxis, labeledTicks } from "./score-rows.ts";
import styles from "./score-table.module.css";
import { liftInterval, type PulseMetric, toVerdict } from "./verdicts.ts";

const LABEL_HEIGHT = 18;
/** Between two labels, px. */
const GAP_PX = 10;
const BAR_HEIGHT = 10;
/** The middle of a bar, on the first line of its row. */
const BAR_Y = "0.875rem";

/** The place of a lift on the axis, in percent of its width. Lifts beyond the axis are at its end. */
const placeOf = ({ low, high }: LiftAxis, lift: number): number => (100 * (Math.max(low, Math.min(high, lift)) - low)) / (high - low);

const at = (axis: LiftAxis, lift: number): string => `${placeOf(axis, lift)}%`;

const tickText = (tick: number): string => `${signed(tick)}%`;

/** The labels of the axis that all rows share, in regular steps. */
export function AxisLabels({ axis }: { axis: LiftAxis }) {
  const [ref, width] = useWidth();
  const toLabel = (tick: number) => anchored((width * placeOf(axis, tick)) / 100, tickText(tick), width);
  const labels = labeledTicks(axis.ticks, (ticks) => areApart(ticks.map(toLabel), GAP_PX)).map(toLabel);
  return (
    <div ref={ref}>
      <svg className={styles.axis} height={LABEL_HEIGHT} aria-hidden="true">
        {labels.map(({ at: x, label, anchor }) => (
          <text key={label} className={styles.tick} x={x} y={12} textAnchor={anchor ?? "middle"}>
            {label}
          </text>
        ))}
      </svg>
    </div>
  );
}

type BarProps = {
  axis: LiftAxis;
  /** Undefined for the control group, whose line has only the axis. */
  metric?: PulseMetric | undefined;
  /** The harm that a guardrail allows, in percent. */
  maxHarmPercent?: number | undefined;
};

/** A line of the shared axis with the interval as a bar and the change as a mark in it. The text beside it has the same numbers. */
export function LiftBar({ axis, metric, maxHarmPercent }: BarProps) {
  return (
    <svg className={styles.bar} aria-hidden="true">
      {axis.ticks.map((tick) => (
        <line key={tick} className={tick === 0 ? styles.zero : styles.grid} x1={at(axis, tick)} x2={at(axis, tick)} y1="0" y2="100%" />
      ))}
      {metric && maxHarmPercent !== undefined && <Limit axis={axis} metric={metric} maxHarmPercent={maxHarmPercent} />}
      {metric && <Lift axis={axis} metric={metric} />}
    </svg>
  );
}

function Limit({ axis, metric, maxHarmPercent }: { axis: LiftAxis; metric: PulseMetric; maxHarmPercent: number }) {
  const limit = metric.directionality === "increase" ? -maxHarmPercent : maxHarmPercent;
  if (limit < axis.low || limit > axis.high) return null;
  return <line className={styles.limit} x1={at(axis, limit)} x2={at(axis, limit)} y1="0" y2="100%" />;
}

function Lift({ axis, metric }: { axis: LiftAxis; metric: PulseMetric }) {
  const { percentChange } = metric;
  if (percentChange === undefined) return null;
  const [lower, upper] = liftInterval(metric) ?? [percentChange, percentChange];
  const isShown = !isBeyond(axis, percentChange);
  const [left, right] = [placeOf(axis, lower), placeOf(axis, upper)];
  return (
    <>
      <g transform={`translate(0,${-BAR_HEIGHT / 2})`}>
        {lower < upper && right > left && (
          <rect
            className={styles[toVerdict(metric)]}
            x={`${Math.min(99, left)}%`}
            width={`${Math.max(1, right - left)}%`}
            y={BAR_Y}
            height={BAR_HEIGHT}
            rx={3}
          />
        )}
        {isShown && (
          <rect
            className={styles.estimate}
            x={at(axis, percentChange)}
            width={2}
            y={BAR_Y}
            height={BAR_HEIGHT}
            transform="translate(-1,0)"
          />
        )}
      </g>
      {lower < axis.low && <Arrow side="low" metric={metric} hasFigure={!isShown && percentChange < axis.low} />}
      {upper > axis.high && <Arrow side="high" metric={metric} hasFigure={!isShown && percentChange > axis.high} />}
    </>
  );
}

/** The mark of an interval that leaves the axis, with the change if that leaves it too. */
function Arrow({ side, metric, hasFigure }: { side: "low" | "high"; metric: PulseMetric; hasFigure: boolean }) {
  const figure = hasFigure ? percentChangeTexts(metric).change : "";
  return (
    <text
      className={`${styles.beyond} ${styles[`${toVerdict(metric)}Text`]}`}
      x={side === "low" ? 0 : "100%"}
      y={BAR_Y}
      dy="0.35em"
      textAnchor={side === "low" ? "start" : "end"}
    >
      {side === "low" ? `← ${figure}` : `${figure} →`}
    </text>
  );
}
