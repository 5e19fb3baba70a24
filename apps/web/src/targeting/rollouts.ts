import { percentage } from "../charts/format.ts";
import { timeValue, toText } from "./parts.ts";
import { toPercentage } from "./rule-draft.ts";
import type { Fault, Rollout, Rule } from "./types.ts";

const HOUR_MS = 60 * 60 * 1000;

/** The scheduled rollouts of a rule, by time. */
export function listSteps({ pendingAutomatedRollouts: steps = [] }: Pick<Rule, "pendingAutomatedRollouts">): Rollout[] {
  return steps;
}

/** Adds a step at its time. */
export function addStep(rule: Rule, step: Rollout): Rule {
  return withSteps(rule, [...listSteps(rule), step]);
}

/** Replaces a step by its index. */
export function updateStep(rule: Rule, index: number, step: Rollout): Rule {
  return withSteps(
    rule,
    listSteps(rule).map((one, at) => (at === index ? step : one)),
  );
}

/** Removes a step by its index. */
export function removeStep(rule: Rule, index: number): Rule {
  return withSteps(
    rule,
    listSteps(rule).filter((_, at) => at !== index),
  );
}

/** Replaces the whole schedule. The server keeps steps in the order of their times, and so does a draft. */
export function withSteps(rule: Rule, steps: readonly Rollout[]): Rule {
  const inOrder = steps
    .map(({ time, passPercent }) => ({ time, passPercent: toPercentage(passPercent) }))
    .toSorted((a, b) => a.time - b.time);
  return { ...rule, pendingAutomatedRollouts: inOrder };
}

/**
 * Steps at equal distances that raise a rule's percentage. A rule that has reached one of the percentages takes the next one after a
 * full interval, any other rule takes its first step after at most an hour. A rule that passes everyone starts again from the first one.
 * @param now ms since the epoch
 * @param percentages one for each step
 */
export function rolloutTemplate(
  { passPercentage }: Pick<Rule, "passPercentage">,
  now: number,
  percentages: readonly number[],
  everyHours: number,
): Rollout[] {
  const higher = percentages.filter((percentage) => percentage > passPercentage);
  const isUnderway = higher.length > 0 && percentages.some((percentage) => percentage <= passPercentage);
  const first = now + (isUnderway ? everyHours : Math.min(1, everyHours)) * HOUR_MS;
  return (higher.length > 0 ? higher : percentages).map((passPercent, index) => ({
    time: first + index * everyHours * HOUR_MS,
    passPercent,
  }));
}

/** Warns of a percentage that the next step reverts, unless the schedule went that way before. @param stored the rule before the edits */
function revertingStep({ passPercentage, ...rule }: Rule, stored: Rule | undefined): Fault[] {
  const [next] = listSteps(rule);
  if (next === undefined || !Number.isFinite(next.time) || next.passPercent === passPercentage) return [];
  const lowers = next.passPercent < passPercentage;
  const wentDown = stored !== undefined && next.passPercent < stored.passPercentage;
  if (!lowers && !wentDown) return [];
  const message = `The next scheduled step ${lowers ? "lowers" : "raises"} this to ${percentage(next.passPercent)} on ${toText([timeValue(next.time)])}.`;
  return [{ property: "passPercentage", level: "warning", message }];
}

/** The faults of a schedule. @param now ms since the epoch. @param stored the rule before the edits */
export function rolloutFaults(rule: Rule, now: number, stored?: Rule): Fault[] {
  const ofSteps = listSteps(rule).flatMap(({ time, passPercent }, index, steps) => {
    const at = `pendingAutomatedRollouts[${index}]`;
    const before = steps[index - 1];
    const faults: Fault[] = [];
    if (!Number.isFinite(time)) faults.push({ property: `${at}.time`, level: "error", message: "Enter a date and time." });
    else if (time <= now) faults.push({ property: `${at}.time`, level: "error", message: "This time has passed. Choose a later one." });
    else if (before && time <= before.time) {
      faults.push({ property: `${at}.time`, level: "error", message: "Each step must be later than the one before it." });
    }
    if (before && passPercent < before.passPercent) {
      const [from, to] = [percentage(before.passPercent), percentage(passPercent)];
      faults.push({
        property: `${at}.passPercent`,
        level: "warning",
        message: `Step ${index + 1} lowers the percentage from ${from} to ${to}.`,
      });
    }
    return faults;
  });
  return [...revertingStep(rule, stored), ...ofSteps];
}
