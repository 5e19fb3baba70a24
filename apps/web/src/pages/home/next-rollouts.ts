// The rollouts that are about to step. Pure.
import type { Schema } from "../../api.ts";

type Flag = Pick<Schema<"Gate">, "id" | "name" | "rules">;

export type NextRollout = {
  type: "gate" | "dynamic_config";
  id: string;
  name: string;
  rule: string;
  from: number;
  to: number;
  time: number;
};

/** The next step of each rule that takes one before `until`, the earliest first. Rules that are switched off wait. Times in ms since the epoch. */
export function nextRollouts(type: NextRollout["type"], flags: readonly Flag[], until: number): NextRollout[] {
  return flags
    .flatMap(({ id, name, rules }) =>
      rules.flatMap((rule): NextRollout[] => {
        const [next] = (rule.pendingAutomatedRollouts ?? []).toSorted((a, b) => a.time - b.time);
        if (next === undefined || next.time >= until || rule.isEnabled === false) return [];
        return [{ type, id, name, rule: rule.name, from: rule.passPercentage, to: next.passPercent, time: next.time }];
      }),
    )
    .toSorted((a, b) => a.time - b.time);
}
