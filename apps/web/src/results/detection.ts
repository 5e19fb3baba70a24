// Effects that a test can detect, in words. Pure.
import type { BandPoint } from "../charts/band.ts";
import { date as dateText } from "../ui/time-text.ts";
import { numberText, type PulseMetric, toVerdict } from "./verdicts.ts";

/** The effect that the test can find, or could have found if the verdict shows no difference. Undefined without a verdict. */
export function detectionText(metric: PulseMetric): string | undefined {
  const { isSignificant, verdict, detection, minimumDetectableEffect: size, percentMinimumDetectableEffect: percent } = metric;
  if (isSignificant === undefined || !detection) return undefined;
  if (size === undefined) return "Not enough data to detect any change.";
  const amount = percent === undefined ? numberText(size) : `${numberText(percent)}%`;
  const power = `${numberText(100 * detection.power)}% power`;
  const verb = toVerdict(metric) === "none" ? "could have" : "can";
  const found = verb === "can" ? "find" : "found";
  switch (verdict?.testType) {
    case "non_inferiority":
      return `This test ${verb} ${verb === "can" ? "confirm" : "confirmed"} a margin of ${amount}, with ${power}.`;
    case "one_sided":
      return `This test ${verb} ${found} an improvement of ${amount} or more, with ${power}.`;
    default:
      return `This test ${verb} ${found} a change of ${amount} or more, with ${power}.`;
  }
}

/** When the planned effect can be found. Undefined if none is planned. */
export function targetText({ detection }: PulseMetric): string | undefined {
  const { percent, isReached, days, date, reason } = detection?.target ?? {};
  if (percent === undefined) return undefined;
  const planned = `The planned ${numberText(percent)}%`;
  if (isReached) return `${planned} can be found now.`;
  if (days === undefined || date === undefined) return `${planned} can’t be found yet. ${reason ?? ""}`.trimEnd();
  const rounded = Math.max(1, Math.ceil(days));
  return `${planned} can be found in about ${rounded} ${rounded === 1 ? "day" : "days"}, on ${dateText(Date.parse(date), "utc")}.`;
}

/** The effect that the planned end can find. Undefined after it. */
export function plannedEndText({ detection }: PulseMetric): string | undefined {
  const percent = detection?.plannedEndPercent;
  return percent === undefined ? undefined : `${numberText(percent)}% at the planned end.`;
}

/** The minimum detectable effect as of each day that has one, in percent. */
export const toDetectionPoints = (days: NonNullable<PulseMetric["series"]>): BandPoint[] =>
  days.flatMap(({ date, percentMinimumDetectableEffect: value }) => (value === undefined ? [] : [{ time: Date.parse(date), value }]));
