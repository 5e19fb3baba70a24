import { percentage } from "../charts/format.ts";
import entity from "../entity/entity.module.css";
import { formatNumber } from "../ui/number-text.ts";
import { PulseNumberValue } from "./pulse-number.tsx";
import { differenceText, unitOf } from "./units.ts";
import { numberText, type PulseMetric, pText, signedText } from "./verdicts.ts";

/** Results of sequential tests, in experiments that ask for them. */
export function Sequential({ metric }: { metric: PulseMetric }) {
  return (
    <>
      <ProbabilityRatio metric={metric} />
      <AtAllTimes metric={metric} />
    </>
  );
}

function ProbabilityRatio({ metric }: { metric: PulseMetric }) {
  const { reason, logLikelihoodRatio, lower, upper, effect, power } = metric.sprt ?? {};
  if (reason !== undefined) return <div className={entity.soft}>{reason}</div>;
  if (logLikelihoodRatio === undefined || lower === undefined || upper === undefined || effect === undefined || power === undefined)
    return null;
  return (
    <div className={entity.soft}>
      Log likelihood ratio <PulseNumberValue number="sprt.logLikelihoodRatio" metric={metric} text={numberText(logLikelihoodRatio)} />, ends
      at <PulseNumberValue number="sprt.lower" metric={metric} text={numberText(lower)} /> or{" "}
      <PulseNumberValue number="sprt.upper" metric={metric} text={numberText(upper)} />. Looks for{" "}
      <PulseNumberValue number="sprt.effect" metric={metric} text={`${numberText(effect)}%`} /> with a power of{" "}
      <PulseNumberValue number="sprt.power" metric={metric} text={percentage(100 * power)} />
    </div>
  );
}

function AtAllTimes({ metric }: { metric: PulseMetric }) {
  const { confidenceSequence } = metric;
  if (confidenceSequence === undefined) return null;
  const { confidenceIntervalDelta, percentInterval, pValue, narrowestUnits } = confidenceSequence;
  const toText = (side: -1 | 1) =>
    differenceText((metric.absoluteChange ?? 0) + side * confidenceIntervalDelta, confidenceIntervalDelta, unitOf(metric));
  return (
    <div className={entity.soft}>
      <PulseNumberValue number="confidenceSequence.confidenceIntervalDelta" metric={metric} text={`(${toText(-1)} to ${toText(1)})`} />
      {percentInterval !== undefined && (
        <>
          {" "}
          <PulseNumberValue
            number="confidenceSequence.percentInterval"
            metric={metric}
            text={`(${signedText(percentInterval[0] ?? 0)}% to ${signedText(percentInterval[1] ?? 0)}%)`}
          />
        </>
      )}{" "}
      at all times, p = <PulseNumberValue number="confidenceSequence.pValue" metric={metric} text={pText(pValue)} />, narrowest with{" "}
      <PulseNumberValue
        number="confidenceSequence.narrowestUnits"
        metric={metric}
        text={`${formatNumber(Math.round(narrowestUnits))} units`}
      />
    </div>
  );
}
