import type { Context } from "../../common/context.ts";
import { type Autotune, isRunning } from "./autotune.ts";
import { decide } from "./autotune-steps.ts";
import { explorationMs } from "./autotune-windows.ts";

/** Whether the counts for `seen` still apply to the present autotune. */
export function isSameRun(autotune: Autotune | undefined, seen: Autotune): autotune is Autotune {
  return autotune !== undefined && isRunning(autotune) && autotune.startTime === seen.startTime && autotune.version === seen.version;
}

/** The share of traffic that all variants of a running autotune share equally. @param now ms */
export function explorationAt(autotune: Autotune, now: number): number {
  const { explorationWindowRate, longtermExplorationAllocation } = autotune;
  return isExploring(autotune, now) ? explorationWindowRate : (longtermExplorationAllocation ?? 0);
}

/**
 * The autotune with its winner. Undefined if none of the variants is the best with enough probability, or during the exploration.
 * @param weights the probability of each variant to be the best, in their order
 */
export function decideBy(autotune: Autotune, weights: readonly number[] | undefined, context: Context): Autotune | undefined {
  if (!weights || isExploring(autotune, context.now)) return undefined;
  const best = weights.indexOf(Math.max(...weights));
  const variant = autotune.variants[best];
  const [probability = 0, threshold] = [weights[best], Number.parseFloat(autotune.winnerThreshold)];
  if (!variant || probability * 100 < threshold) return undefined;
  const shown = Math.floor(probability * 10_000) / 100;
  const decisionReason = `The variant is the best with a probability of ${shown}%, and the threshold is ${threshold}%.`;
  return decide(autotune, { id: variant.id, decisionReason }, context);
}

function isExploring(autotune: Autotune, now: number): boolean {
  return now < (autotune.startTime ?? now) + explorationMs(autotune);
}
