import type { Schema } from "@gatehouse/contract/console";
import { type SampleRatio, sampleRatioLevel, testSampleRatio } from "@gatehouse/statistics";
import { DAY_MS } from "../../common/utc-day.ts";
import type { GroupUnits } from "../sql/exposure-counts.ts";
import type { HealthCheck, HealthStatus } from "./health-check.ts";
import { rounded } from "./health-check.ts";

type Experiment = Schema<"Experiment">;
type CheckedGroup = Schema<"HealthCheckGroup">;

const CROSSOVER_WARNING_PERCENT = 0.1;
const CROSSOVER_FAILED_PERCENT = 1;

type Seen = { units: readonly GroupUnits[] | { reason: string }; ageMs: number };

/** Checks of the exposures to groups. */
export function exposureChecks({ idType, assignmentSourceName, qualifyingEventName }: Experiment, { units, ageMs }: Seen): HealthCheck[] {
  const source = { ...(assignmentSourceName && { assignmentSourceName }), ...(qualifyingEventName && { qualifyingEventName }) };
  const checks = "reason" in units ? [uncounted(units)] : countChecks(units, ageMs, qualifyingEventName ? "qualified" : "seen a group");
  return checks.map(({ metadata, ...check }) => ({
    ...check,
    metadata: { type: check.type, primary_id_type: idType, ...source, ...metadata },
  }));
}

const EXPOSURES = { name: "Exposures", type: "has_exposures" } as const;

const uncounted = ({ reason }: { reason: string }): Check => ({ ...EXPOSURES, status: "WAITING", description: reason });

/** @param done the action of a unit that counts */
function countChecks(units: readonly GroupUnits[], ageMs: number, done: string): Check[] {
  const alone = units.reduce((sum, group) => sum + group.alone, 0);
  const crossed = units.reduce((sum, group) => sum + group.crossedShare, 0);
  const total = alone + crossed;
  return [exposuresArrive(total, ageMs, done), ...(total > 0 ? [balance(units, alone), crossover(units, crossed / total)] : [])];
}

type Check = Omit<HealthCheck, "metadata" | "type"> & { type: string & HealthCheck["type"]; metadata?: object };

function exposuresArrive(total: number, ageMs: number, done: string): Check {
  if (total > 0) return { ...EXPOSURES, status: "PASSED", description: `${counted(total)} ${unitsHave(total)} ${done}.` };
  if (ageMs < DAY_MS) return { ...EXPOSURES, status: "WAITING", description: `No unit has ${done} yet.` };
  return { ...EXPOSURES, status: "FAILED", description: `No unit has ${done} since the start, more than 24 hours ago.` };
}

function balance(units: readonly GroupUnits[], total: number): Check {
  const about = { name: "Sizes of the groups", type: "has_balanced_exposures" } as const;
  const open = units.filter(({ size }) => size > 0);
  const ratio = testSampleRatio(
    open.map(({ alone }) => alone),
    open.map(({ size }) => size),
  ).value;
  if (open.length < 2 || !ratio) return { ...about, status: "WAITING", description: "Fewer than two groups have units to compare." };
  const status = sampleRatioLevel(ratio);
  const sizes = open.reduce((sum, { size }) => sum + size, 0);
  const seen = open.reduce((sum, { alone }) => sum + alone, 0);
  const groups = units.map(({ groupID, groupName, size, alone }): CheckedGroup => {
    if (size === 0) return { groupID, groupName, status: "NOT_APPLIED", units: alone, metrics: [] };
    return { groupID, groupName, status, units: alone, expectedUnits: (seen * size) / sizes, metrics: [] };
  });
  const metadata = { chiSquare: ratio.chiSquare, pValue: ratio.sequentialP, groups };
  return { ...about, status, description: balanceText(status, ratio, total), metadata };
}

function balanceText(status: HealthStatus, { chiSquare, sequentialP: p }: SampleRatio, total: number): string {
  const numbers = `χ² = ${rounded(chiSquare)}, p = ${rounded(p)}`;
  if (status === "PASSED") return `The ${counted(total)} units of the groups agree with their sizes: ${numbers}.`;
  if (status === "WARNING") return `The units of the groups may not agree with their sizes: ${numbers}. Look again when there are more.`;
  return `The units of the groups do not agree with their sizes: ${numbers}. Something loses or adds units of one group, so do not trust the results.`;
}

function crossover(units: readonly GroupUnits[], share: number): Check {
  const crossoverPercent = share * 100;
  const groups = units.map(({ groupID, groupName, alone, crossed }): CheckedGroup => {
    const percent = alone + crossed > 0 ? (100 * crossed) / (alone + crossed) : 0;
    return { groupID, groupName, status: crossoverLevel(percent), units: alone, crossoverPercent: percent, metrics: [] };
  });
  const about = { name: "Units in several groups", type: "has_crossover" } as const;
  const metadata = { crossoverPercent, groups };
  const status = crossoverLevel(crossoverPercent);
  if (crossoverPercent === 0) return { ...about, status, metadata, description: "No unit saw two groups." };
  const description = `${rounded(crossoverPercent)}% of the units saw two groups or more. They are left out of the results.`;
  return { ...about, status, metadata, description };
}

function crossoverLevel(percent: number): HealthStatus {
  if (percent >= CROSSOVER_FAILED_PERCENT) return "FAILED";
  return percent >= CROSSOVER_WARNING_PERCENT ? "WARNING" : "PASSED";
}

const counted = (units: number) => Math.round(units).toLocaleString("en-US");
const unitsHave = (units: number) => (Math.round(units) === 1 ? "unit has" : "units have");
