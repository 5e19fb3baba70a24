// The effect and the recommendation of an experiment, as its list shows them. Pure.
import type { Schema } from "../../api.ts";
import { leadingGroup } from "../../results/headline.ts";
import { differenceTexts, percentChangeTexts } from "../../results/means.ts";
import { RECOMMENDATION_NAMES, RECOMMENDATION_TONES, SUPPORT_NAMES } from "../../results/recommendation-words.ts";
import { type PulseMetric, toVerdict, type Verdict } from "../../results/verdicts.ts";
import type { Tone } from "../../ui/badge.tsx";
import type { Experiment } from "./states.ts";

type GroupScore = Schema<"ExperimentGroupScore">;
type Shown = Pick<Experiment, "status" | "groups" | "launchedGroupID">;

/** The change of the first primary metric in the leading group. */
export type Effect = { change: string; interval: string; verdict: Verdict; about: string };

/** The group that the list is about: as on the page, the most telling one. */
function leading(groups: readonly GroupScore[]): GroupScore | undefined {
  const measured = groups.flatMap(({ groupID, primaryMetric }) => (primaryMetric ? [{ groupID, metric: primaryMetric }] : []));
  const [first, ...others] = measured;
  const found = first && leadingGroup([first, ...others]);
  return groups.find(({ groupID }) => groupID === found?.groupID) ?? groups[0];
}

const nameOf = ({ groups }: Shown, groupID: string): string => groups.find(({ id }) => id === groupID)?.name ?? groupID;

/** Undefined before there is a change. */
export function toEffect(experiment: Shown, groups: readonly GroupScore[]): Effect | undefined {
  const shown = leading(groups);
  const metric = shown?.primaryMetric;
  if (!metric || metric.absoluteChange === undefined) return undefined;
  const { change, interval } = changeTexts(metric);
  const group = groups.length > 1 ? `${nameOf(experiment, shown.groupID)}, ` : "";
  const confidence = interval === "" ? "" : confidenceText(metric);
  return { change, interval, verdict: toVerdict(metric), about: `${group}${metric.metricName}${confidence}` };
}

function changeTexts(metric: PulseMetric): { change: string; interval: string } {
  if (metric.percentChange === undefined) {
    const { difference, interval } = differenceTexts(metric);
    return { change: difference, interval };
  }
  const { change, interval = "" } = percentChangeTexts(metric);
  return { change, interval };
}

/** The confidence of the interval, which corrections raise. */
function confidenceText({ alpha }: PulseMetric): string {
  return alpha === undefined ? "" : `, ${Number((100 * (1 - alpha)).toPrecision(4))}% interval`;
}

/** The recommendation or the decision. Undefined if there is neither. */
export function toOutcome(experiment: Shown, groups: readonly GroupScore[]): { text: string; tone: Tone } | undefined {
  const { status, launchedGroupID } = experiment;
  if (launchedGroupID !== null) return { text: `Shipped ${nameOf(experiment, launchedGroupID)}`, tone: "good" };
  const shown = leading(groups);
  if (!shown || status === "abandoned" || status === "archived") return undefined;
  const { recommendation, groupID } = shown;
  // The only test group goes without saying.
  const text = groups.length === 1 ? SUPPORT_NAMES[recommendation] : RECOMMENDATION_NAMES[recommendation](nameOf(experiment, groupID));
  return { text, tone: RECOMMENDATION_TONES[recommendation] };
}
