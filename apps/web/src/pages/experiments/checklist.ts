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
    check(
      "hypothesis",
      hypothesis.trim() !== "",
      "The hypothesis says what is expected.",
      "missing",
      "Write down what you expect, and why.",
    ),
    check(
      "groups",
      groups.length >= 2,
      `${groups.length} groups are compared.`,
      "missing",
      "Add a second group: there is nothing to compare with.",
    ),
    check(
      "sizes",
      Math.abs(sum - 100) <= 0.001,
      "The sizes of the groups sum to 100 %.",
      "missing",
      "Let the sizes of the groups sum to 100 %.",
    ),
    check("values", differ, "The groups get different values.", "missing", "Give the groups different values: all would get the same."),
    allocation === 0
      ? { id: "allocation", level: "missing", text: "Allocate some units: nobody would take part." }
      : check(
          "allocation",
          allocation >= SMALL_PERCENT,
          `${allocation} % of the units take part.`,
          "risky",
          `Only ${allocation} % of the units take part: it will take long to see a difference.`,
        ),
    check(
      "metrics",
      primaryMetrics.length > 0,
      `${primaryMetrics.length === 1 ? "One metric decides" : `${primaryMetrics.length} metrics decide`}.`,
      "risky",
      "Name a primary metric: without one, the results say nothing.",
    ),
    check(
      "duration",
      duration >= 7,
      `It is planned for ${duration} days.`,
      "risky",
      "Plan at least a week: people behave differently at weekends.",
    ),
    ...needs.map((need) => needCheck(need, duration)),
    targetingGateID === null || targetingGateID === ""
      ? { id: "targeting", level: "done", text: "Everybody can take part: no gate limits it." }
      : { id: "targeting", level: "done", text: `Who passes the gate ${targetingGateID} can take part.` },
  ];
}

function needCheck({ metric, effect, days }: Need, duration: number): Check {
  const [id, change] = [`need ${metric}`, `a change of ${effect} % in ${metric}`];
  if (days === undefined) return { id, level: "risky", text: `Expect more or allocate more: ${change} would not be found.` };
  if (days <= duration) return { id, level: "done", text: `It is long enough to find ${change}.` };
  return { id, level: "risky", text: `Plan ${days} days to find ${change}: ${duration} are too short.` };
}

/** The reason why a start would be useless, if it would be. */
export const whyNotStart = (checks: readonly Check[]): string | undefined => checks.find(({ level }) => level === "missing")?.text;
