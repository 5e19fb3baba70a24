import type { Planned } from "../../results/plans/load-parts.ts";
import type { Plan } from "../../results/plans/plan.ts";
import type { StoredAdjustment } from "../../results/pulse/adjustment.ts";
import type { GroupSums } from "../../results/pulse/sums.ts";
import type { Analysis } from "../../results/sql/analysis.ts";

/** The reason if a metric's amounts are other ones than a moment before. */
export const CHANGED = "Events arrived while the results were updated. Refresh them.";

/**
 * Computes what the adjustment of metrics needs, for each in the order given.
 * @param totals the sums that the load has found for them
 */
export type ReadAdjustment = (
  planned: readonly Planned[],
  totals: readonly GroupSums[],
  toAnalysis: (plans: readonly Plan[]) => Analysis,
) => Promise<StoredAdjustment[]>;
