import type { Violation } from "../../common/errors.ts";

/** Checks that a percentage is a multiple of `step`. Binary fractions are not exact, so the check has a tolerance. */
export function checkPercentage(percentage: number, property: string, violations: Violation[], step = 0.01): void {
  const steps = percentage / step;
  if (Math.abs(steps - Math.round(steps)) > 1e-6) violations.push({ property, errorMessage: `must be in steps of ${step}` });
}

/** Checks that parts sum to 100, with a tolerance for thirds such as 33.333. `called` names the parts in the message: `sizes`. */
export function checkSum(parts: number[], called: string, property: string, violations: Violation[]): void {
  const total = parts.reduce((sum, part) => sum + part, 0);
  if (Math.abs(total - 100) <= 0.001) return;
  violations.push({ property, errorMessage: `must have ${called} that sum to 100, not ${Number(total.toFixed(6))}` });
}
