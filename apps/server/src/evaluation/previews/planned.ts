import type { Versioned } from "../../store/requests/entity-tag.ts";

type Planned = {
  activeRelease?: object;
  scheduledStartTime?: number | null;
  salt?: string;
  allocation?: number;
  rules?: { passPercentage: number; pendingAutomatedRollouts?: { passPercent: number }[]; conditions: object[] }[];
};

/**
 * An entity with what the server is going to do with it later, so that a comparison finds a change of the plan: an experiment whose start is
 * scheduled counts as running, a release counts as completed, and a rule has its pending rollouts in a condition and the highest of their
 * percentages.
 */
export function asPlanned<E extends Versioned>(entity: E): E {
  const { activeRelease, scheduledStartTime, salt, allocation, rules } = entity as Planned;
  if (activeRelease) return asPlanned(withoutRelease(entity));
  const isStarting = typeof scheduledStartTime === "number";
  const hasPlan = rules?.some(({ pendingAutomatedRollouts: pending = [] }) => pending.length > 0);
  if (!isStarting && !hasPlan) return entity;
  return {
    ...entity,
    // The start turns the allocation into buckets.
    ...(isStarting && { status: "active", startTime: scheduledStartTime, salt: `${salt} ${allocation}` }),
    ...(rules && { rules: rules.map(withPlan) }),
  };
}

function withPlan(rule: NonNullable<Planned["rules"]>[number]): object {
  const { pendingAutomatedRollouts: pending = [], conditions } = rule;
  if (pending.length === 0) return rule;
  const plan = { type: "custom_field", field: "pendingAutomatedRollouts", operator: "any", targetValue: [JSON.stringify(pending)] };
  const passPercentage = Math.max(rule.passPercentage, ...pending.map(({ passPercent }) => passPercent));
  return { ...rule, passPercentage, conditions: [...conditions, plan] };
}

function withoutRelease<E extends Versioned>(entity: E): E {
  return { ...entity, activeRelease: undefined };
}
