import type { Schema } from "@gatehouse/contract/console";

export type HealthCheck = Schema<"HealthCheck">;
export type HealthStatus = HealthCheck["status"];

/** With two significant digits. */
export function rounded(value: number): string {
  return String(Number(value.toPrecision(2)));
}
