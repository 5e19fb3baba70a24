import type { CompiledSpec } from "./compile.ts";
import type { Reason, SecondaryExposure } from "./evaluator.ts";

/** What became of one spec for one user: what every kind of answer is made from. Those without exposures are made once and shared. */
export type Outcome = {
  reason: Exclude<Reason, "not_found">;
  ruleID: string;
  groupName: string | null;
  /** The rule is one of an experiment's groups. */
  isGroup: boolean;
  value: unknown;
  /** A gate's value. */
  on: boolean;
  exposures: readonly SecondaryExposure[];
  /** Those from before an experiment took over. */
  undelegatedExposures: readonly SecondaryExposure[];
  /** The experiment that decided. */
  delegate: CompiledSpec | null;
  /** How many specs, one depending on the next, stand below this one. */
  height: number;
};

export const NO_EXPOSURES: readonly SecondaryExposure[] = Object.freeze([]);

export function outcome(decided: Pick<Outcome, "reason" | "ruleID" | "value" | "on"> & Partial<Outcome>): Outcome {
  return {
    groupName: null,
    isGroup: false,
    exposures: NO_EXPOSURES,
    undelegatedExposures: NO_EXPOSURES,
    delegate: null,
    height: 0,
    ...decided,
  };
}

export const UNSUPPORTED = outcome({ reason: "unsupported", ruleID: "", value: undefined, on: false });
