import type { Permission } from "@gatehouse/contract";
import type { Schema } from "@gatehouse/contract/console";
import { needsOfTagged } from "../common/needs.ts";

type Metric = Schema<"Metric">;

/** The permission for marking a metric as reliable or removing the mark. */
export function needsOfMetric(before: Metric | null, after: Metric | null): Permission[] {
  const isMarked = (before?.isVerified ?? false) !== (after?.isVerified ?? before?.isVerified ?? false);
  return [...needsOfTagged(before, after), ...(isMarked ? (["verify_metrics"] as const) : [])];
}
