// The health of an experiment in words. Pure.
import type { Schema } from "../../api.ts";

type Summary = { tone: "good" | "warn" | "bad" | "off"; text: string };

/** What matters most about the checks: the failed ones, or else the warnings, or else those that passed and those that wait. */
export function summarizeHealth(checks: readonly Pick<Schema<"HealthCheck">, "status">[]): Summary {
  const withStatus = (wanted: Schema<"HealthCheckStatus">) => checks.filter(({ status }) => status === wanted).length;
  const [failed, warnings, passed, waiting] = (["FAILED", "WARNING", "PASSED", "WAITING"] as const).map(withStatus) as [
    number,
    number,
    number,
    number,
  ];
  if (failed > 0) return { tone: "bad", text: `${counted(failed)} failed` };
  if (warnings > 0) return { tone: "warn", text: `${warnings} ${warnings === 1 ? "health warning" : "health warnings"}` };
  if (passed === 0) return { tone: "off", text: `${counted(waiting)} waiting for data` };
  return { tone: "good", text: [`${counted(passed)} passed`, ...(waiting > 0 ? [`${waiting} waiting for data`] : [])].join(", ") };
}

const counted = (checks: number): string => `${checks} health ${checks === 1 ? "check" : "checks"}`;
