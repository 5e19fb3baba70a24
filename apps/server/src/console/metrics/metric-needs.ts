import type { Permission } from "@gatehouse/contract";
import type { Schema } from "@gatehouse/contract/console";
import { needsOfTagged } from "../common/needs.ts";

type Metric = Schema<"Metric">;

/** Whoever marks a metric as reliable, or takes the mark from it, needs a permission for that. */
export function needsOfMetric(before: Metric | null, after: Metric | null): Permission[] {
  const isMarked = (before?.isVerified ?? false) !== (after?.isVerified ?? before?.isVerified ?? false);
  return [...needsOfTagged(before, after), ...(isMarked ? (["verify_metrics"] as const) : [])];
}
