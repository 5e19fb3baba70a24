import { percentage } from "../charts/format.ts";
import entity from "../entity/entity.module.css";
import { Badge } from "../ui/badge.tsx";
import { Time } from "../ui/time.tsx";
import { ExplainedNumber } from "./explained-number.tsx";
import { Interval } from "./interval.tsx";
import { PULSE_MEANINGS, VERDICT_MEANING } from "./number-meanings.ts";
import { PulseNumberValue } from "./pulse-number.tsx";
import styles from "./results.module.css";
import { Adjustment, Belief, Change, Detection, GroupCell } from "./scorecard-cells.tsx";
import { Sequential } from "./sequential.tsx";
import { testedText } from "./tested.ts";
import { VERDICT_TONES } from "./verdict-badges.ts";
import { decidedText, numberText, type PulseMetric, percentileName, pText, sharedScale, toVerdict, verdictText } from "./verdicts.ts";

type Props = {
  title: string;
  metrics: readonly PulseMetric[];
  all: readonly PulseMetric[];
  control: string;
  test: string;
  /** Name of the rows if they are not metrics. */
  rows?: string;
  /** How often the results were updated. */
  updates?: number | undefined;
};

/** Metrics of two groups, each with its lift on a scale that all metrics of the page share. */
export function Scorecard({ title, metrics, all, control, test, rows = "Metric", updates }: Props) {
  if (metrics.length === 0) return null;
  const scale = sharedScale(all);
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
            <th scope="col">Change, with interval</th>
            <th scope="col">Verdict</th>
            <th scope="col">{all.some(({ verdict }) => verdict?.test === "bayesian") ? "Chance" : "p-value"}</th>
          </tr>
        </thead>
        <tbody>
          {metrics.map((metric) => (
            <MetricRow key={metric.metricID} metric={metric} scale={scale} updates={updates} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function MetricRow({ metric, scale, updates }: { metric: PulseMetric; scale: number; updates: number | undefined }) {
  const tested = testedText(metric, updates);
  const { metricName, directionality, cuped, percentile, pValue, alpha, reason, loadedTime } = metric;
  const verdict = toVerdict(metric);
  const withheld = metric.verdict?.reason;
  const decided = decidedText(metric);
  const decidingP = metric.verdict?.pValue ?? pValue;
  const isByBelief = metric.verdict?.test === "bayesian";
  return (
    <tr>
      <th scope="row">
        <bdi>{metricName}</bdi>
        <div className={entity.soft}>{directionality === "increase" ? "Higher is better" : "Lower is better"}</div>
        <div className={entity.soft}>
          {cuped?.isUsed && (
            <PulseNumberValue
              number="cuped.varianceReduction"
              metric={metric}
              text={`${Math.round(100 * (cuped.varianceReduction ?? 0))}% of the variance explained by CUPED`}
            />
          )}
          {cuped?.isUsed === false && (
            <ExplainedNumber meaning={PULSE_MEANINGS["cuped.varianceReduction"]} text="Without CUPED" worked={cuped.reason} />
          )}
        </div>
        <Adjustment metric={metric} />
        {percentile !== undefined && (
          <div className={entity.soft}>
            <PulseNumberValue number="percentile" metric={metric} text={`The ${percentileName(percentile)} of the events`} />
          </div>
        )}
        {loadedTime !== undefined && (
          <div className={entity.soft}>
            Computed <Time time={loadedTime} />
          </div>
        )}
      </th>
      <GroupCell group="control" metric={metric} />
      <GroupCell group="test" metric={metric} />
      <td>
        <Interval metric={metric} scale={scale} />
        <Change metric={metric} />
        <Belief metric={metric} />
        <Sequential metric={metric} />
      </td>
      <td>
        <ExplainedNumber meaning={VERDICT_MEANING} text={verdictText(metric)}>
          <Badge tone={VERDICT_TONES[verdict]}>{verdictText(metric)}</Badge>
        </ExplainedNumber>
        <Detection metric={metric} />
        {tested !== undefined && <div className={entity.soft}>{tested}</div>}
        {decided !== undefined && <div className={entity.soft}>{decided}</div>}
        {(reason ?? withheld) !== undefined && <div className={entity.soft}>{reason ?? withheld}</div>}
      </td>
      <td>
        {isByBelief && metric.bayesian !== undefined && (
          <PulseNumberValue
            number="bayesian.chanceToBeat"
            metric={metric}
            text={`${percentage(100 * metric.bayesian.chanceToBeat)} to be better`}
          />
        )}
        {!isByBelief && decidingP !== undefined && (
          <PulseNumberValue number={decidingP === pValue ? "pValue" : "verdict.pValue"} metric={metric} text={pText(decidingP)} />
        )}
        {!isByBelief && pValue !== undefined && alpha !== undefined && (
          <div className={entity.soft}>
            <PulseNumberValue number="alpha" metric={metric} text={`α = ${numberText(alpha)}`} />
          </div>
        )}
      </td>
    </tr>
  );
}
