import type { Violation } from "../../errors.ts";

/** Percentages are in steps of 0.01 or of another `step`. JSON numbers cannot hold these exactly, so that they are tested with a tolerance. */
export function checkPercentage(percentage: number, property: string, violations: Violation[], step = 0.01): void {
  const steps = percentage / step;
  if (Math.abs(steps - Math.round(steps)) > 1e-6) violations.push({ property, errorMessage: `must be in steps of ${step}` });
}

/** The parts of a whole sum to 100; such as 33.33 do not exactly. `called` is what the parts are in a message: `sizes`. */
export function checkSum(parts: number[], called: string, property: string, violations: Violation[]): void {
  const total = parts.reduce((sum, part) => sum + part, 0);
  if (Math.abs(total - 100) <= 0.001) return;
  violations.push({ property, errorMessage: `must have ${called} that sum to 100, not ${Number(total.toFixed(6))}` });
}
