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

const isPoor = (status: HealthStatus | undefined) => status === "WARNING" || status === "FAILED";

/** The new status of each check that fails or warns and did not before, or that no longer does, by the check's name. */
export function listNews(before: readonly HealthCheck[], after: readonly HealthCheck[]): { [name: string]: HealthStatus } {
  const former = new Map(before.map(({ name, status }) => [name, status]));
  const changed = after.filter(({ name, status }) => former.get(name) !== status && (isPoor(status) || isPoor(former.get(name))));
  return Object.fromEntries(changed.map(({ name, status }) => [name, status]));
}
