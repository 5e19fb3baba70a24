import type { Schema } from "@gatehouse/contract/console";
import type { Comparison, Maybe } from "@gatehouse/statistics";

type TestType = NonNullable<Schema<"ExperimentMetric">["testType"]>;

/** The question that a metric answers. */
export type TestPlan = {
  type: TestType;
  /** How much worse the metric may be, as a share of the control mean. Only for non-inferiority. */
  margin?: number | undefined;
};

export const TWO_SIDED: TestPlan = { type: "two_sided" };

export const isOneSided = ({ type }: TestPlan): boolean => type !== "two_sided";

/** The α of a two-sided test with the critical value of this one: a one-sided test has all of α in one direction. Source: Neyman, Pearson 1933. */
export const levelOf = (plan: TestPlan, alpha: number): number => (isOneSided(plan) ? Math.min(2 * alpha, 1) : alpha);

/** The direction of the effects that a one-sided test finds. A two-sided test finds both. */
export function directionOf(plan: TestPlan, isDecreaseBetter: boolean): "more" | "less" | undefined {
  if (!isOneSided(plan)) return undefined;
  return isDecreaseBetter ? "less" : "more";
}

/** The comparison against the null hypothesis of a test plan: no difference, or worse by the margin. Source: Hauschke et al. 1999. */
export function againstNull(comparison: Comparison, { type, margin = 0 }: TestPlan, isDecreaseBetter: boolean): Maybe<Comparison> {
  return type === "non_inferiority" ? comparison.against(isDecreaseBetter ? margin : -margin) : { value: comparison };
}

/** The question as results say it. */
export function describePlan({ type, margin }: TestPlan): Pick<Schema<"PulseVerdict">, "testType" | "margin"> {
  return type === "two_sided" ? {} : { testType: type, ...(margin !== undefined && { margin: 100 * margin }) };
}
