// Checks before an experiment starts. Pure.
import type { CheckLevel } from "../../entity/checklist.tsx";
import { numberText } from "../../results/verdicts.ts";
import { equal } from "../../targeting/equal.ts";
import { parseObject } from "../../targeting/values.ts";
import type { Fields } from "./experiment-draft.ts";
import { MAX_SUGGESTED_DAYS, type Need } from "./power.ts";
import type { StepID } from "./setup-steps.ts";

export type Check = { id: string; step: StepID; level: CheckLevel; text: string };

const SMALL_PERCENT = 5;

/** @param needs how long metrics need for their expected effects, if that was computed */
export function checklist(
  { hypothesis, groups, allocation, targetingGateID, duration, primaryMetrics }: Fields,
  needs: readonly Need[] = [],
): Check[] {
  const sum = groups.reduce((total, { size }) => total + size, 0);
  const values = groups.map((group) => parseObject(group.values));
  const differ = values.some((one) => !equal(one, values[0]));
  const check = (step: StepID, id: string, isDone: boolean, done: string, level: Check["level"], otherwise: string): Check =>
    isDone ? { id, step, level: "done", text: done } : { id, step, level, text: otherwise };
  return [
    check(
      "hypothesis",
      "hypothesis",
      hypothesis.trim() !== "",
      "Hypothesis written.",
      "missing",
      "Write a hypothesis: the change you expect, and why.",
    ),
    check("groups", "groups", groups.length >= 2, `Comparing ${groups.length} groups.`, "missing", "Add a second group to compare with."),
    check(
      "groups",
      "sizes",
      Math.abs(sum - 100) <= 0.001,
      "Group sizes add up to 100%.",
      "missing",
      "Make the group sizes add up to 100%.",
    ),
    check(
      "groups",
      "values",
      differ,
      "Groups get different values.",
      "missing",
      "Set different values for the groups. They’re all the same now.",
    ),
    allocation === 0
      ? { id: "allocation", step: "audience", level: "missing", text: "Set the allocation above 0% so that users take part." }
      : check(
          "audience",
          "allocation",
          allocation >= SMALL_PERCENT,
          `${allocation}% of users take part.`,
          "risky",
          `Only ${allocation}% of users take part, so it takes longer to see a difference.`,
        ),
    check(
      "metrics",
      "metrics",
      primaryMetrics.length > 0,
      primaryMetrics.length === 1 ? "1 primary metric." : `${primaryMetrics.length} primary metrics.`,
      "risky",
      "Add a primary metric to decide by.",
    ),
    check(
      "duration",
      "duration",
      duration >= 7,
      `Planned for ${duration} days.`,
      "risky",
      "Plan at least a week. Behavior differs on weekends.",
    ),
    ...needs.map((need) => needCheck(need, duration)),
    targetingGateID === null || targetingGateID === ""
      ? { id: "targeting", step: "audience", level: "done", text: "Everyone can take part." }
      : { id: "targeting", step: "audience", level: "done", text: `Users who pass the gate ${targetingGateID} can take part.` },
  ];
}

function needCheck({ metric, effect, days }: Need, duration: number): Check {
  const place = { id: `need ${metric}`, step: "duration" } as const;
  const change = `a change of ${effect}% in ${metric}`;
  if (days === undefined || days > MAX_SUGGESTED_DAYS)
    return {
      ...place,
      level: "risky",
      text: `At this traffic, it would take more than ${days === undefined ? "ten years" : "a year"} to detect ${change}. Increase the allocation, or plan for a larger change.`,
    };
  if (days <= duration) return { ...place, level: "done", text: `Long enough to detect ${change}.` };
  return {
    ...place,
    level: "risky",
    text: `Plan at least ${numberText(days)} days to detect ${change}. ${numberText(duration)} days is too short.`,
  };
}

/** The reason why a start would be useless, if it would be. */
export const whyNotStart = (checks: readonly Check[]): string | undefined => checks.find(({ level }) => level === "missing")?.text;
