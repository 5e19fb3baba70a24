import type { CompiledSpec } from "./compile.ts";
import type { Reason } from "./evaluator.ts";

/**
 * What a spec answers to every user who reaches the same rule with the same result. A spec has one object for each such answer as long as it
 * lives, so that what is made from a decision is made once and kept with it (see `keptWithDecision`).
 */
export type Decision = {
  /** The spec that was asked for. */
  readonly compiled: CompiledSpec;
  readonly reason: Exclude<Reason, "not_found">;
  readonly ruleID: string;
  readonly groupName: string | null;
  /** The rule is one of an experiment's groups. */
  readonly isGroup: boolean;
  readonly value: unknown;
  /** A gate's value. */
  readonly on: boolean;
  /** The experiment that decided in its place. */
  readonly delegate: CompiledSpec | null;
  /** The outcome of a decision that depended on no other gate. */
  readonly alone: Outcome;
  kept: unknown[] | null;
};

/** What became of one spec for one user: what every kind of answer is made from. */
export type Outcome = {
  readonly decision: Decision;
  /** The gates that the decision depended on, each by its own decision. */
  readonly exposures: readonly Decision[];
  /** Those from before an experiment took over. */
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

/** A function that makes something from a decision at its first call, and answers the same from then on. */
export function keptWithDecision<Made extends object>(make: (decision: Decision) => Made): (decision: Decision) => Made {
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
