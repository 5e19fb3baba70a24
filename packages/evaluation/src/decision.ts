import type { CompiledSpec } from "./compile.ts";
import type { Reason } from "./evaluator.ts";

/**
 * The result of a spec for all users who reach the same rule with the same outcome. A spec has one object for each such result, so that
 * values derived from a decision are computed once and cached with it (see `keptWithDecision`).
 */
export type Decision = {
  /** The requested spec. */
  readonly compiled: CompiledSpec;
  readonly reason: Exclude<Reason, "not_found">;
  readonly ruleID: string;
  readonly groupName: string | null;
  /** Whether the rule is a group of an experiment. */
  readonly isGroup: boolean;
  readonly value: unknown;
  /** The value of a gate. */
  readonly on: boolean;
  /** The experiment that a layer delegated to. */
  readonly delegate: CompiledSpec | null;
  /** The outcome if the decision depended on no other gate. */
  readonly alone: Outcome;
  kept: unknown[] | null;
};

/** The outcome of one spec for one user. All kinds of results are derived from it. */
export type Outcome = {
  readonly decision: Decision;
  /** The decisions of the gates on which this decision depended. */
  readonly exposures: readonly Decision[];
  /** The exposures before the delegation to an experiment. */
  readonly undelegatedExposures: readonly Decision[];
  /** The longest chain of dependent specs below this one. */
  readonly height: number;
};

export const NO_EXPOSURES: readonly never[] = Object.freeze([]);

type Decided = Pick<Decision, "compiled" | "reason" | "ruleID" | "value" | "on"> & Partial<Omit<Decision, "alone" | "kept">>;

export function newDecision({
  compiled,
  reason,
  ruleID,
  groupName = null,
  isGroup = false,
  value,
  on,
  delegate = null,
}: Decided): Decision {
  const alone = { exposures: NO_EXPOSURES, undelegatedExposures: NO_EXPOSURES, height: 0 } as unknown as { decision: Decision } & Outcome;
  const decision: Decision = { compiled, reason, ruleID, groupName, isGroup, value, on, delegate, alone, kept: null };
  alone.decision = decision;
  return decision;
}

let slots = 0;

/** Memoizes a function of a decision, with the result cached in the decision. */
export function keptWithDecision<Made extends object | string>(make: (decision: Decision) => Made): (decision: Decision) => Made {
  const slot = slots++;
  return (decision) => {
    const known = decision.kept?.[slot] as Made | undefined;
    if (known !== undefined) return known;
    const made = make(decision);
    decision.kept ??= [];
    decision.kept[slot] = made;
    return made;
  };
}
