import type { Rule } from "./rule.ts";

/** The time at which the next automated rollout of the rules is due, ms since the epoch; null if none is pending. */
export function nextRollout(rules: Rule[]): number | null {
  const times = rules.flatMap(({ pendingAutomatedRollouts = [] }) => pendingAutomatedRollouts.map(({ time }) => time));
  return times.length > 0 ? Math.min(...times) : null;
}

/** The rules of an earlier version without the rollouts whose time has passed, which would undo at once what is restored. */
export function withoutMissedRollouts(rules: Rule[], now: number): Rule[] {
  return rules.map((rule) => {
    const { pendingAutomatedRollouts: pending } = rule;
    return pending ? { ...rule, pendingAutomatedRollouts: pending.filter(({ time }) => time > now) } : rule;
  });
}

/** The rules with every rollout that is due by `now` carried out, the earliest first, so that the last one counts. */
export function carryOutRollouts(rules: Rule[], now: number): Rule[] {
  return rules.map((rule) => {
    const pending = rule.pendingAutomatedRollouts ?? [];
    const due = pending.filter(({ time }) => time <= now).toSorted((a, b) => a.time - b.time);
    const last = due.at(-1);
    if (!last) return rule;
    return {
      ...rule,
      passPercentage: last.passPercent,
      pendingAutomatedRollouts: pending.filter(({ time }) => time > now),
      completedAutomatedRollouts: [...(rule.completedAutomatedRollouts ?? []), ...due],
    };
  });
}
