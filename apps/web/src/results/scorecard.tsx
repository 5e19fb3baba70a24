import entity from "../entity/entity.module.css";
import { Badge, type Tone } from "../ui/badge.tsx";
import { Time } from "../ui/time.tsx";
import styles from "./results.module.css";
import {
  changeText,
  liftInterval,
  numberText,
  type PulseMetric,
  percentileName,
  pText,
  scaleOf,
  type Verdict,
  verdictOf,
  verdictText,
} from "./verdicts.ts";

const TONES: Record<Verdict, Tone> = { better: "good", worse: "bad", none: "off", unknown: "plain" };

type Props = {
  title: string;
  metrics: readonly PulseMetric[];
  all: readonly PulseMetric[];
  control: string;
  test: string;
  /** What the rows are, if each is not a metric. */
  rows?: string;
};

/** Metrics of two groups, each with its lift on a scale that all metrics of the page share. */
export function Scorecard({ title, metrics, all, control, test, rows = "Metric" }: Props) {
  if (metrics.length === 0) return null;
  const scale = scaleOf(all);
  return (
    <div className={entity.scroll}>
      <table className={entity.table} aria-label={title}>
        <caption className={styles.caption}>{title}</caption>
        <thead>
          <tr>
            <th scope="col">
              <bdi>{rows}</bdi>
            </th>
            <th scope="col">
              <bdi>{control}</bdi>
            </th>
            <th scope="col">
              <bdi>{test}</bdi>
            </th>
            <th scope="col">Change, with its interval</th>
            <th scope="col">Verdict</th>
            <th scope="col">p-value</th>
          </tr>
        </thead>
        <tbody>
          {metrics.map((metric) => (
            <MetricRow key={metric.metricID} metric={metric} scale={scale} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function MetricRow({ metric, scale }: { metric: PulseMetric; scale: number }) {
  const { metricName, directionality, cuped, percentile, pValue, reason, loadedTime } = metric;
  const verdict = verdictOf(metric);
  return (
    <tr>
      <th scope="row">
        <bdi>{metricName}</bdi>
        <div className={entity.soft}>
          {directionality === "increase" ? "More is better" : "Less is better"}
          {cuped?.isUsed && <>, {Math.round(100 * (cuped.varianceReduction ?? 0))} % of the variance explained by CUPED</>}
        </div>
        {percentile !== undefined && (
          <div className={entity.soft}>
            The {percentileName(percentile)} of the events. {cuped?.reason}
          </div>
        )}
        {loadedTime !== undefined && (
          <div className={entity.soft}>
            Computed <Time time={loadedTime} />
          </div>
        )}
      </th>
      <GroupCell mean={metric.controlMean} units={metric.controlUnits} events={metric.controlEvents} />
      <GroupCell mean={metric.testMean} units={metric.testUnits} events={metric.testEvents} />
      <td>
        <Interval metric={metric} scale={scale} />
        {changeText(metric)}
      </td>
      <td>
        <Badge tone={TONES[verdict]}>{verdictText(metric)}</Badge>
        {reason !== undefined && <div className={entity.soft}>{reason}</div>}
      </td>
      <td>{pValue !== undefined && pText(pValue)}</td>
    </tr>
  );
}

type GroupProps = { mean: number | undefined; units: number | undefined; events: number | undefined };

function GroupCell({ mean, units, events }: GroupProps) {
  return (
    <td>
      {mean !== undefined && numberText(mean)}
      {events !== undefined && <div className={entity.soft}>{countText(events, "event")}</div>}
      {units !== undefined && <div className={entity.soft}>{countText(units, "unit")}</div>}
    </td>
  );
}

const countText = (count: number, one: string) => `${count.toLocaleString("en-GB")} ${count === 1 ? one : `${one}s`}`;

const WIDTH = 180;
const HEIGHT = 18;

/** The interval as a bar, and the change as a line in it. What it shows stands beside it in words. */
function Interval({ metric, scale }: { metric: PulseMetric; scale: number }) {
  const bounds = liftInterval(metric);
  if (!bounds || metric.percentChange === undefined) return null;
  const x = (percent: number) => (WIDTH * (Math.max(-scale, Math.min(scale, percent)) + scale)) / (2 * scale);
  const [left, right] = [x(bounds[0]), x(bounds[1])];
  return (
    <svg className={styles.interval} width={WIDTH} height={HEIGHT} aria-hidden="true">
      <rect className={styles.track} width={WIDTH} height={HEIGHT} rx={4} />
      <rect className={styles[verdictOf(metric)]} x={left} width={Math.max(2, right - left)} y={4} height={HEIGHT - 8} rx={3} />
      <line className={styles.zero} x1={WIDTH / 2} x2={WIDTH / 2} y2={HEIGHT} />
      <line className={styles.estimate} x1={x(metric.percentChange)} x2={x(metric.percentChange)} y1={2} y2={HEIGHT - 2} />
    </svg>
  );
}
