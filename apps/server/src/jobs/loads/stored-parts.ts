import type { LoadState, StateRest, StateScope } from "../../console/results/load-state-store.ts";
import { MAX_TERMS } from "../../results/incremental/incremental-plan.ts";
import { METRICS_PER_STATEMENT, type Planned } from "../../results/plans/load-parts.ts";
import { distinctTerms } from "../../results/plans/plan.ts";

/** Metrics of a load that share a state; without one if a new one is to be made. */
export type StoredPart = { planned: Planned[]; state: LoadState | undefined };

/**
 * Divides metrics among the states of their subject.
 * @param rest what a state must agree with, besides the plans of its metrics
 * @param isOfAll whether these are all metrics of the subject, so that states of others are of no use
 * @returns also the states of no use
 */
export function dividedAmongStates(
  planned: readonly Planned[],
  states: readonly LoadState[],
  { rest, isOfAll }: { rest: StateRest; isOfAll: boolean },
): { parts: StoredPart[]; useless: LoadState[] } {
  const byID = new Map(planned.map((one) => [one.metric.id, one]));
  const isUseful = ({ scope }: LoadState) =>
    isEqual(scope.rest, rest) &&
    scope.metrics.every(({ id, plan }) => {
      const own = byID.get(id);
      return own ? isEqual(own.plan, plan) : !isOfAll;
    });
  const useful: LoadState[] = [];
  const left = new Map(byID);
  const parts: StoredPart[] = [];
  for (const state of states.filter(isUseful)) {
    const own = state.scope.metrics.flatMap(({ id }) => left.get(id) ?? []);
    if (own.length === 0) continue;
    for (const { metric } of own) left.delete(metric.id);
    useful.push(state);
    parts.push({ planned: own, state });
  }
  return {
    parts: [...parts, ...chunks([...left.values()]).map((own) => ({ planned: own, state: undefined }))],
    // A state of metrics that are not asked for now is left as it is.
    useless: states.filter((state) => !useful.includes(state) && (isOfAll || !isUseful(state))),
  };
}

export function toScope(planned: readonly Planned[], rest: StateRest): StateScope {
  return { metrics: planned.map(({ metric, plan }) => ({ id: metric.id, plan })), rest };
}

const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Metrics that one state has: they read the same time before the exposure. */
function chunks(planned: readonly Planned[]): Planned[][] {
  const alike = new Map<number, Planned[][]>();
  for (const one of planned) {
    const lists = alike.get(one.plan.preMs) ?? [];
    const last = lists.at(-1);
    const terms = last && distinctTerms([...last, one].map(({ plan }) => plan)).length;
    if (last && last.length < METRICS_PER_STATEMENT && (terms ?? 0) <= MAX_TERMS) last.push(one);
    else alike.set(one.plan.preMs, [...lists, [one]]);
  }
  return [...alike.values()].flat();
}
