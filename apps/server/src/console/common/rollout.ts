import { isRuleEnabled, type Rule } from "./rule.ts";

/** When the next automated rollout of an enabled rule is due, in whole ms since the epoch. Null if none is pending. */
export function nextRollout(rules: Rule[]): number | null {
  const times = rules
    .filter(isRuleEnabled)
    .flatMap(({ pendingAutomatedRollouts = [] }) => pendingAutomatedRollouts.map(({ time }) => time));
  return times.length > 0 ? Math.ceil(Math.min(...times)) : null;
}

/** Drops pending rollouts whose time has passed. In a restored version they would run at once and change it. */
export function withoutMissedRollouts(rules: Rule[], now: number): Rule[] {
  return rules.map((rule) => {
    const { pendingAutomatedRollouts: pending } = rule;
    return pending ? { ...rule, pendingAutomatedRollouts: pending.filter(({ time }) => time > now) } : rule;
  });
}

/** Applies every rollout of an enabled rule that is due by `now`. If several are due, the latest determines the percentage. */
export function carryOutRollouts(rules: Rule[], now: number): Rule[] {
  return rules.map((rule) => {
    const pending = rule.pendingAutomatedRollouts ?? [];
    const due = pending.filter(({ time }) => time <= now).toSorted((a, b) => a.time - b.time);
    const last = due.at(-1);
    if (!last || !isRuleEnabled(rule)) return rule;
    return {
      ...rule,
      passPercentage: last.passPercent,
      pendingAutomatedRollouts: pending.filter(({ time }) => time > now),
      completedAutomatedRollouts: [...(rule.completedAutomatedRollouts ?? []), ...due],
    };
  });
}
