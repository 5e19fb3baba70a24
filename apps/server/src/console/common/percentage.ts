import type { Violation } from "../../errors.ts";

/** JSON numbers cannot hold 0.01 exactly, so that the step is tested with a tolerance. */
export function checkPercentage(percentage: number, property: string, violations: Violation[]): void {
  const hundredths = percentage * 100;
  if (Math.abs(hundredths - Math.round(hundredths)) > 1e-6) violations.push({ property, errorMessage: "must be in steps of 0.01" });
}
