import { ExplainedNumber } from "./explained-number.tsx";
import { PULSE_MEANINGS, type PulseNumber } from "./number-meanings.ts";
import type { PulseMetric } from "./verdicts.ts";
import { workedOut } from "./worked.ts";

/** A number of a metric's results, explained with the numbers that it came from. */
export function PulseNumberValue({ number, metric, text }: { number: PulseNumber; metric: PulseMetric; text: string }) {
  return <ExplainedNumber meaning={PULSE_MEANINGS[number]} text={text} worked={workedOut(number, metric)} />;
}
