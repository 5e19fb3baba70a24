// Checks before an experiment starts. Pure.
import { equal } from "../../targeting/equal.ts";
import { parseObject } from "../../targeting/values.ts";
import type { Fields } from "./experiment-draft.ts";
import type { Need } from "./power.ts";

/** `missing`: a start would be useless. `risky`: it can start, but with a warning. */
export type Check = { id: string; level: "done" | "missing" | "risky"; text: string };

const SMALL_PERCENT = 5;

/** @param needs how long metrics need for their expected effects, if that was computed */
export function checklist(
  { hypothesis, groups, allocation, targetingGateID, duration, primaryMetrics }: Fields,
  needs: readonly Need[] = [],
): Check[] {
  const sum = groups.reduce((total, { size }) => total + size, 0);
  const values = groups.map((group) => parseObject(group.values));
  const differ = values.some((one) => !equal(one, values[0]));
  const check = (id: string, isDone: boolean, done: string, level: Check["level"], otherwise: string): Check =>
    isDone ? { id, level: "done", text: done } : { id, level, text: otherwise };
  return [
    check("hypothesis", hypothesis.trim() !== "", "Hypothesis written.", "missing", "Write a hypothesis: the change you expect, and why."),
    check("groups", groups.length >= 2, `Comparing ${groups.length} groups.`, "missing", "Add a second group to compare with."),
    check("sizes", Math.abs(sum - 100) <= 0.001, "Group sizes add up to 100%.", "missing", "Make the group sizes add up to 100%."),
    check("values", differ, "Groups get different values.", "missing", "Set different values for the groups. They’re all the same now."),
    allocation === 0
      ? { id: "allocation", level: "missing", text: "Set the allocation above 0% so that users take part." }
      : check(
          "allocation",
          allocation >= SMALL_PERCENT,
          `${allocation}% of users take part.`,
          "risky",
          `Only ${allocation}% of users take part, so it takes longer to see a difference.`,
        ),
    check(
      "metrics",
      primaryMetrics.length > 0,
      primaryMetrics.length === 1 ? "1 primary metric." : `${primaryMetrics.length} primary metrics.`,
      "risky",
      "Add a primary metric to decide by.",
    ),
    check("duration", duration >= 7, `Planned for ${duration} days.`, "risky", "Plan at least a week. Behavior differs on weekends."),
    ...needs.map((need) => needCheck(need, duration)),
    targetingGateID === null || targetingGateID === ""
      ? { id: "targeting", level: "done", text: "Everyone can take part." }
      : { id: "targeting", level: "done", text: `Users who pass the gate ${targetingGateID} can take part.` },
  ];
}

function needCheck({ metric, effect, days }: Need, duration: number): Check {
  const [id, change] = [`need ${metric}`, `a change of ${effect}% in ${metric}`];
  if (days === undefined)
    return { id, level: "risky", text: `Underpowered: can’t detect ${change}. Increase the allocation or the expected change.` };
  if (days <= duration) return { id, level: "done", text: `Long enough to detect ${change}.` };
  return { id, level: "risky", text: `Plan at least ${days} days to detect ${change}. ${duration} days are too short.` };
}

/** The reason why a start would be useless, if it would be. */
export const whyNotStart = (checks: readonly Check[]): string | undefined => checks.find(({ level }) => level === "missing")?.text;
