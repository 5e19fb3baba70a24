import { percentage } from "../charts/format.ts";
import entity from "../entity/entity.module.css";
import { formatNumber } from "../ui/number-text.ts";
import { adjustmentText, leftText, METHOD_NAMES } from "./adjustment-words.ts";
import { detectionText, plannedEndText, targetText } from "./detection.ts";
import { sumText } from "./digits.ts";
import { ExplainedNumber } from "./explained-number.tsx";
import { differenceTexts, errorText, meanText, percentChangeTexts, totalText } from "./means.ts";
import { PULSE_MEANINGS } from "./number-meanings.ts";
import { PulseNumberValue } from "./pulse-number.tsx";
import { numberText, type PulseMetric, signedText } from "./verdicts.ts";

/** A group's results: its mean with the standard error, the units that count, and the sums of a ratio. */
export function GroupCell({ group, metric }: { group: "control" | "test"; metric: PulseMetric }) {
  const [mean, error, units] = [metric[`${group}Mean`], metric[`${group}Std`], metric[`${group}Units`]];
  const [total, denominator, events] = [metric[`${group}Total`], metric[`${group}Denominator`], metric[`${group}Events`]];
  return (
    <td>
      {mean !== undefined && <PulseNumberValue number={`${group}Mean`} metric={metric} text={meanText(group, metric)} />}
      {error !== undefined && (
        <span className={entity.soft}>
          {" "}
          <PulseNumberValue number={`${group}Std`} metric={metric} text={errorText(group, metric)} />
        </span>
      )}
      {events !== undefined && (
        <div className={entity.soft}>
          <PulseNumberValue number={`${group}Events`} metric={metric} text={countText(events, "event")} />
        </div>
      )}
      {units !== undefined && (
        <div className={entity.soft}>
          <PulseNumberValue number={`${group}Units`} metric={metric} text={countText(units, "unit")} />
        </div>
      )}
      {total !== undefined && (
        <div className={entity.soft}>
          <PulseNumberValue number={`${group}Total`} metric={metric} text={totalText(group, metric)} />
          {denominator !== undefined && (
            <>
              {" "}
              of <PulseNumberValue number={`${group}Denominator`} metric={metric} text={sumText(denominator)} />
            </>
          )}
        </div>
      )}
    </td>
  );
}

const countText = (count: number, one: string) => `${formatNumber(count)} ${count === 1 ? one : `${one}s`}`;

/** The change with its interval: relative if there is such a one, and absolute. Before the planned end of a sequential test, for daily looks. */
export function Change({ metric }: { metric: PulseMetric }) {
  const { percentChange, absoluteChange, confidenceIntervalDelta, sequentialTestingConfidenceIntervalDelta: sequential } = metric;
  if (absoluteChange === undefined || confidenceIntervalDelta === undefined) return null;
  const { change: changeOf, interval } = percentChangeTexts(metric);
  const { difference: differenceOf, interval: reach } = differenceTexts(metric);
  const isSequential = sequential !== undefined;
  const difference = (
    <>
      <PulseNumberValue number="absoluteChange" metric={metric} text={differenceOf} />{" "}
      <PulseNumberValue
        number={isSequential ? "sequentialTestingConfidenceIntervalDelta" : "absoluteInterval"}
        metric={metric}
        text={reach}
      />
      {isSequential && " for daily looks"}
    </>
  );
  if (percentChange === undefined) return difference;
  const change = <PulseNumberValue number="percentChange" metric={metric} text={changeOf} />;
  return (
    <>
      {change}
      {interval ? (
        <>
          {" "}
          <PulseNumberValue number={isSequential ? "sequentialPercentInterval" : "percentInterval"} metric={metric} text={interval} />
        </>
      ) : (
        ", without an interval, since the control mean may be 0"
      )}
      <div className={entity.soft}>{difference}</div>
    </>
  );
}

/** The effect that the test can find, now and later. */
export function Detection({ metric }: { metric: PulseMetric }) {
  const [now, target, atEnd] = [detectionText(metric), targetText(metric), plannedEndText(metric)];
  if (now === undefined) return null;
  return (
    <>
      <div className={entity.soft}>
        <PulseNumberValue number="percentMinimumDetectableEffect" metric={metric} text={now} />
        {atEnd !== undefined && (
          <>
            {" "}
            <PulseNumberValue number="detection.plannedEndPercent" metric={metric} text={atEnd} />
          </>
        )}
      </div>
      {target !== undefined && (
        <div className={entity.soft}>
          <PulseNumberValue number="detection.target.days" metric={metric} text={target} />
        </div>
      )}
    </>
  );
}

/** The belief after the data, in experiments that ask for it. */
export function Belief({ metric }: { metric: PulseMetric }) {
  const { bayesian } = metric;
  if (bayesian === undefined) return null;
  const { mean, standardDeviation, lower, upper, chanceToBeat, expectedLoss, expectedLossOfControl } = bayesian;
  return (
    <div className={entity.soft}>
      <PulseNumberValue number="bayesian.chanceToBeat" metric={metric} text={percentage(100 * chanceToBeat)} /> to be better, expected loss{" "}
      <PulseNumberValue number="bayesian.expectedLoss" metric={metric} text={percentage(expectedLoss)} />, of staying with the control{" "}
      <PulseNumberValue number="bayesian.expectedLossOfControl" metric={metric} text={percentage(expectedLossOfControl)} />. Believed:{" "}
      <PulseNumberValue number="bayesian.mean" metric={metric} text={`${signedText(mean)}%`} />{" "}
      <PulseNumberValue number="bayesian.standardDeviation" metric={metric} text={`SD ${numberText(standardDeviation)}%`} />, from{" "}
      <PulseNumberValue number="bayesian.lower" metric={metric} text={`${signedText(lower)}%`} /> to{" "}
      <PulseNumberValue number="bayesian.upper" metric={metric} text={`${signedText(upper)}%`} />
    </div>
  );
}

/** How much of the variance the experiment's adjustment saved, or why it was not used. */
export function Adjustment({ metric }: { metric: PulseMetric }) {
  const { adjustment } = metric;
  if (!adjustment) return null;
  return (
    <div className={entity.soft}>
      {adjustment.isUsed ? (
        <PulseNumberValue number="adjustment.varianceReduction" metric={metric} text={adjustmentText(adjustment)} />
      ) : (
        <ExplainedNumber
          meaning={PULSE_MEANINGS["adjustment.varianceReduction"]}
          text={`Without ${METHOD_NAMES[adjustment.method]}`}
          worked={leftText(adjustment)}
        />
      )}
      {adjustment.isUsed && adjustment.left !== undefined && <div>{leftText(adjustment)}</div>}
    </div>
  );
}
