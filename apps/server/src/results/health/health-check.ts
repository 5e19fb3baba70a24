import type { Schema } from "@gatehouse/contract/console";

export type HealthCheck = Schema<"HealthCheck">;
export type HealthStatus = HealthCheck["status"];

/** The status of a share, in percent, that should be small. */
export function percentStatus(percent: number, warning: number, failed: number): HealthStatus {
  if (percent >= failed) return "FAILED";
  return percent >= warning ? "WARNING" : "PASSED";
}

/** With two significant digits. */
export function rounded(value: number): string {
  return String(Number(value.toPrecision(2)));
}
