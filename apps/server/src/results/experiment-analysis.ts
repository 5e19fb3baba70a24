import type { Schema } from "@gatehouse/contract/console";
import { daysBefore, daysFrom } from "./day.ts";
import type { Analysis } from "./days.ts";

type Experiment = Pick<Schema<"Experiment">, "id" | "groups" | "idType">;

type Scope = {
  projectID: string;
  /** In lower case. */
  environments: readonly string[];
  /** When exposures begin to count, and when nothing counts any more, ms. */
  startTime: number;
  endTime: number;
  /** How long before its first exposure a unit's events are read, ms. */
  preMs: number;
  /** Whether only the sums as of the end are asked for. */
  isWithoutDays: boolean;
};

/** What the results of an experiment are computed from. */
export function analysisOf(experiment: Experiment, scope: Scope): Analysis {
  const { projectID, environments, startTime, endTime, preMs, isWithoutDays } = scope;
  return {
    projectID,
    experimentID: experiment.id,
    groupIDs: experiment.groups.flatMap(({ id }) => (id ? [id] : [])),
    idType: experiment.idType,
    environments,
    days: isWithoutDays ? [startTime] : daysFrom(startTime, endTime),
    earlierDays: daysBefore(startTime, preMs),
    end: endTime,
  };
}
