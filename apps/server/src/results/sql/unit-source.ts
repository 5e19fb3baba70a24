import type { Schema } from "@gatehouse/contract/console";
import { daysBefore, daysFrom } from "../../common/local-day.ts";
import type { TimeZone } from "../../common/time-zone.ts";
import { distinctTerms, type Plan } from "../plans/plan.ts";
import { type Windows, windowsOf } from "../plans/windows.ts";
import type { Analysis } from "./analysis.ts";
import type { ExposureSource } from "./exposed.ts";

/** The source of units' exposures, and the type of the units. */
export type UnitSource = {
  exposureSource: ExposureSource;
  idType: string;
  /** The name of the assignment source, if the units are on the warehouse and `exposureSource` does not expose them. */
  assignmentSource?: string;
  /** How the experiment bounds the windows of metrics. */
  windows?: Windows;
};

type Scope = {
  projectID: string;
  /** In lower case. */
  environments: readonly string[];
  /** When exposures begin to count, and when events stop counting, ms. */
  startTime: number;
  endTime: number;
  timeZone: TimeZone;
  /** What one statement computes; empty if it counts units, or computes a percentile. All read the same time before the first exposure. */
  plans: readonly Plan[];
  /** Whether only the sums as of the end are asked for. */
  isWithoutDays: boolean;
};

/** Creates the input of results. */
export function createAnalysis({ exposureSource, idType }: UnitSource, scope: Scope): Analysis {
  const { projectID, environments, startTime, endTime, timeZone, plans, isWithoutDays } = scope;
  const preMs = plans[0]?.preMs ?? 0;
  // The most that counts on one day needs the days.
  const isWhole = isWithoutDays && distinctTerms(plans).every(({ cap }) => cap === undefined);
  return {
    ...{ projectID, exposureSource: exposureSource, idType, environments },
    days: isWhole ? [startTime] : daysFrom(startTime, endTime, timeZone),
    earlierDays: daysBefore(startTime, preMs, timeZone),
    end: endTime,
  };
}

type ComparingExperiment = Pick<Schema<"Experiment">, "id" | "groups" | "idType" | "assignmentSourceName"> &
  Parameters<typeof windowsOf>[0];

export function experimentUnitSource({ id, groups, idType, assignmentSourceName, ...settings }: ComparingExperiment): UnitSource {
  const windows = windowsOf(settings);
  const exposureSource: ExposureSource = { type: "experiment", id, groupIDs: groups.flatMap((group) => (group.id ? [group.id] : [])) };
  return {
    exposureSource: exposureSource,
    idType,
    ...(assignmentSourceName && { assignmentSource: assignmentSourceName }),
    ...(windows && { windows }),
  };
}
