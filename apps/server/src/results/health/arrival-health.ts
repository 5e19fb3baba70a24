import type { Schema } from "@gatehouse/contract/console";
import { type HealthCheck, percentStatus, rounded } from "./health-check.ts";

/** The number of exposures to an experiment's groups that arrived in its present run, by their outcome. */
export type ArrivedExposures = Schema<"HealthCheckExposures">;

/** Percent of the exposures that are left out, or that count at another time. */
const WARNING_PERCENT = 1;
const FAILED_PERCENT = 10;

/** Checks of exposures that don't count as they were sent. Each appears with the first such exposure. */
export function arrivalChecks({ idType }: Schema<"Experiment">, arrivals: ArrivedExposures | undefined): HealthCheck[] {
  if (!arrivals) return [];
  const checks = [...unitIDs(arrivals, idType), ...times(arrivals)];
  return checks.map((check) => ({ ...check, metadata: { type: check.type, primary_id_type: idType, exposures: arrivals } }));
}

type Check = Omit<HealthCheck, "metadata" | "type"> & { type: string & HealthCheck["type"] };

function unitIDs(arrivals: ArrivedExposures, idType: string): Check[] {
  const { withoutUnitID } = arrivals;
  if (withoutUnitID === 0) return [];
  const percent = toPercent(withoutUnitID, arrivals);
  return [
    {
      ...{ name: "Unit IDs", type: "has_valid_unit_type", status: percentStatus(percent, WARNING_PERCENT, FAILED_PERCENT) },
      description: `${share(withoutUnitID, percent)} without a valid ${idType}. Users without one don't count, and all get the same group. Send ${idType} with each user.`,
    },
  ];
}

function times(arrivals: ArrivedExposures): Check[] {
  const { corrected, formerRun, beforeStart } = arrivals;
  const all = corrected + formerRun + beforeStart;
  if (all === 0) return [];
  const percent = toPercent(all, arrivals);
  const parts = [
    ...(corrected > 0 ? [`counted from the arrival on because of a wrong clock: ${count(corrected)}`] : []),
    ...(formerRun > 0 ? [`left out because they are from before the last reset: ${count(formerRun)}`] : []),
    ...(beforeStart > 0 ? [`left out because they are from before the start: ${count(beforeStart)}`] : []),
  ];
  return [
    {
      ...{ name: "Times of the exposures", type: "has_plausible_exposure_times" },
      status: percentStatus(percent, WARNING_PERCENT, FAILED_PERCENT),
      description: `${share(all, percent)} with a time outside the run. ${upper(parts.join("; "))}.`,
    },
  ];
}

function toPercent(part: number, arrivals: ArrivedExposures): number {
  return (100 * part) / Object.values(arrivals).reduce((sum, one) => sum + one, 0);
}

const upper = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const count = (exposures: number) => exposures.toLocaleString("en-US");
const share = (exposures: number, percent: number) =>
  `${count(exposures)} ${exposures === 1 ? "exposure" : "exposures"} (${rounded(percent)}%) arrived`;
