import type { Schema } from "@gatehouse/contract/console";

type PulseMetric = Schema<"PulseMetric">;
type Scorecard = Schema<"ExperimentScorecard">;
type Reason = Scorecard["reasons"][number];
type Supported = NonNullable<Reason["supports"]>;

/** A metric that an experiment names, with its result. */
export type ScoredMetric = { role: "primary" | "secondary" | "other"; result: PulseMetric };

export type Evidence = {
  metrics: readonly ScoredMetric[];
  healthChecks: readonly Pick<Schema<"HealthCheck">, "name" | "status">[];
  /** The names of the metrics whose guardrails have an open alert for the test group. */
  alerted: readonly { metricID: string; metricName: string }[];
  /** Whether results cover the planned end. */
  isEndReached: boolean;
  /** Whether the experiment divides units, or waits for their events. */
  isRunning: boolean;
  /** When the planned end is: a date in the zone of the results, in words. */
  plannedEndDate: string;
};

/**
 * Whether to ship the test group. Ship if a metric is shown to be better, none to be worse, all margins are kept, and the data are sound.
 * Source: Schultzberg, Ankargren, Frånberg 2024, arXiv 2402.11609. Its rule also keeps the level over several metrics.
 */
export function computeScorecard(evidence: Evidence): Scorecard {
  const reasons = [...reasonsAboutData(evidence), ...reasonsAboutTime(evidence), ...reasonsAboutMetrics(evidence)];
  const recommendation = FROM_STRONGEST.find((one) => reasons.some(({ supports }) => supports === one)) ?? "keepRunning";
  return { recommendation, reasons: reasons.toSorted((a, b) => rank(a, recommendation) - rank(b, recommendation)) };
}

const FROM_STRONGEST: readonly Supported[] = ["dontShip", "keepRunning", "ship"];

const rank = ({ supports }: Reason, recommendation: Supported): number =>
  supports === recommendation ? 0 : supports === undefined ? 2 : 1;

function reasonsAboutData({ healthChecks, alerted }: Evidence): Reason[] {
  return [
    ...healthChecks.flatMap(({ name, status }): Reason[] =>
      status === "FAILED"
        ? [{ code: "healthCheckFailed", supports: "dontShip", message: `The health check “${name}” failed. Results can’t be trusted.` }]
        : [],
    ),
    ...alerted.map(
      ({ metricID, metricName }): Reason => ({
        ...{ code: "guardrailAlert", supports: "dontShip", metricID },
        message: `The guardrail of ${metricName} has an open alert.`,
      }),
    ),
  ];
}

/** Whether the tests are planned for one look at the planned end. */
const isFixed = ({ verdict }: PulseMetric): boolean => verdict?.test === "fixed";

const waitsForEnd = ({ metrics, isEndReached, isRunning }: Evidence): boolean =>
  isRunning && !isEndReached && metrics.some(({ result }) => isFixed(result));

function reasonsAboutTime(evidence: Evidence): Reason[] {
  const { isEndReached, isRunning, plannedEndDate, metrics } = evidence;
  if (isEndReached) return [{ code: "plannedEndReached", message: `The planned end was on ${plannedEndDate}.` }];
  const isPlannedForEnd = metrics.some(({ result }) => isFixed(result));
  if (isRunning) {
    const why = isPlannedForEnd ? " Verdicts count only after that date, because the tests are planned for a single look." : "";
    const message = `The planned end is on ${plannedEndDate}.${why}`;
    return [{ code: "plannedEndAhead", ...(isPlannedForEnd && { supports: "keepRunning" }), message }];
  }
  if (!isPlannedForEnd) return [];
  const message = `The experiment ended before ${plannedEndDate}. Its tests are planned for one look at that time, so their verdicts don’t count.`;
  return [{ code: "endedEarly", supports: "dontShip", message }];
}

function reasonsAboutMetrics(evidence: Evidence): Reason[] {
  const { metrics, isEndReached, isRunning } = evidence;
  const primary = metrics.filter(({ role }) => role === "primary");
  // Without more data to come, undecided metrics stay undecided.
  const undecided: Supported = isRunning && !isEndReached ? "keepRunning" : "dontShip";
  const none: Reason[] =
    primary.length === 0
      ? [{ code: "noPrimaryMetric", supports: undecided, message: "The experiment has no primary metric, so nothing can be better." }]
      : [];
  const judged = metrics.flatMap((one) => judge(one, waitsForEnd(evidence), undecided));
  // A primary metric that is better makes up for others without a difference.
  const hasSuccess = judged.some(({ code }) => code === "metricBetter");
  const kept = judged.map((reason): Reason => {
    if (reason.code !== "noDifference" || !hasSuccess) return reason;
    const { supports: _, ...neutral } = reason;
    return neutral;
  });
  return [...none, ...kept];
}

/** The decision that a metric's result supports. @param isEarly whether the test waits for the planned end */
function judge({ role, result }: ScoredMetric, isEarly: boolean, undecided: Supported): Reason[] {
  const { metricID, metricName: name, verdict, isSignificant } = result;
  const isMargin = verdict?.testType === "non_inferiority";
  const reason = (code: Reason["code"], supports: Supported | undefined, message: string): Reason[] => [
    { code, ...(supports && { supports }), metricID, message },
  ];
  const counts = role === "primary" || isMargin;
  if (verdict?.withheld !== undefined)
    return counts ? reason("verdictWithheld", undecided, `${name} has no verdict yet. ${verdict.reason ?? ""}`.trimEnd()) : [];
  if (isSignificant === undefined)
    return role === "primary"
      ? reason("noResult", undecided, `${name} has no result. ${result.reason ?? verdict?.reason ?? ""}`.trimEnd())
      : [];
  if (isEarly && isFixed(result)) return [];
  if (isMargin) return judgeMargin(result, role, undecided).flatMap(([code, supports, message]) => reason(code, supports, message));
  if (isSignificant && isWorse(result)) return role === "other" ? [] : reason("metricWorse", "dontShip", `${name} is worse.`);
  if (role !== "primary") return [];
  if (isSignificant) return reason("metricBetter", "ship", `${name} is better.`);
  if (result.sprt?.decision === "futile")
    return reason("effectRuledOut", "dontShip", `${name} changes by less than ${toText(result.sprt.effect ?? 0)}%.`);
  return reason("noDifference", undecided, `${name} shows no difference.${detectionText(result)}`);
}

function judgeMargin(
  result: PulseMetric,
  role: ScoredMetric["role"],
  undecided: Supported,
): [Reason["code"], Supported | undefined, string][] {
  const { metricName: name, verdict, isSignificant } = result;
  const margin = `${toText(verdict?.margin ?? 0)}%`;
  if (isSignificant) return [["marginKept", role === "primary" ? "ship" : undefined, `${name} isn’t worse by more than ${margin}.`]];
  if (isBeyondMargin(result)) return [["marginExceeded", "dontShip", `${name} is worse by more than ${margin}.`]];
  return [["marginNotShown", undecided, `${name} isn’t shown to be at most ${margin} worse.${detectionText(result)}`]];
}

function isWorse({ directionality, absoluteChange = 0, verdict, bayesian }: PulseMetric): boolean {
  if (verdict?.test === "bayesian") return bayesian?.decision === "control";
  const change = verdict?.absoluteChange ?? absoluteChange;
  return directionality === "increase" ? change < 0 : change > 0;
}

/** Whether the whole interval of the test that decides lies beyond the margin. */
function isBeyondMargin({ directionality, verdict, percentInterval, sequentialPercentInterval }: PulseMetric): boolean {
  const [lower = 0, upper = 0] = verdict?.percentInterval ?? sequentialPercentInterval ?? percentInterval ?? [];
  const margin = verdict?.margin ?? 0;
  return directionality === "increase" ? upper < -margin : lower > margin;
}

const toText = (value: number): string => String(Number(value.toPrecision(3)));

function detectionText({ percentMinimumDetectableEffect: percent, verdict, detection }: PulseMetric): string {
  if (percent === undefined) return "";
  const target = detection?.target;
  const enough = target && !target.isReached ? `, and ${toText(target.percent)}% was planned` : "";
  const found = verdict?.testType === "non_inferiority" ? "confirmed a margin of" : "found a change of";
  return ` The test could have ${found} ${toText(percent)}%${enough}.`;
}
