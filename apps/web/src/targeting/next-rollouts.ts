// Rollouts under way. Pure.
import { metricLabels } from "./metric-id.ts";
import type { Gate } from "./types.ts";

type Flag = Pick<Gate, "id" | "name" | "rules" | "pausedBy">;

/** The next step of a rule, and the last one. Percentages; times in ms since the epoch. */
export type NextRollout = {
  type: "gate" | "dynamic_config";
  id: string;
  name: string;
  ruleID: string;
  rule: string;
  /** The percentage now. */
  from: number;
  to: number;
  time: number;
  last: { to: number; time: number };
  /** The metrics whose alerts have paused the gate's rollouts, so that its steps come later. Empty if they are not paused. */
  pausedBy: readonly string[];
};

export const isPaused = ({ pausedBy }: Pick<NextRollout, "pausedBy">): boolean => pausedBy.length > 0;

/** The rollouts of each rule with a step to come, the earliest step first. Rules that are switched off wait. */
export function nextRollouts(type: NextRollout["type"], flags: readonly Flag[]): NextRollout[] {
  return flags
    .flatMap(({ id, name, rules, pausedBy }) =>
      rules.flatMap((rule): NextRollout[] => {
        const steps = (rule.pendingAutomatedRollouts ?? []).toSorted((a, b) => a.time - b.time);
        const [next, last] = [steps[0], steps.at(-1)];
        if (next === undefined || last === undefined || rule.isEnabled === false) return [];
        return [
          {
            ...{ type, id, name, ruleID: rule.id, rule: rule.name, from: rule.passPercentage },
            ...{ to: next.passPercent, time: next.time },
            last: { to: last.passPercent, time: last.time },
            pausedBy: pausingMetrics(pausedBy),
          },
        ];
      }),
    )
    .toSorted((a, b) => a.time - b.time);
}

function pausingMetrics(pauses: Flag["pausedBy"] = []): string[] {
  const ids = [...new Set(pauses.map(({ metricID }) => metricID))];
  return ids.map(metricLabels(ids));
}
