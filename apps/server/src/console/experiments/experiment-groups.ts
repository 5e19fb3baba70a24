import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import type { Violation } from "../../errors.ts";
import { checkDistinct } from "../common/distinct.ts";
import { randomID } from "../common/identifier.ts";

export type Group = Schema<"ExperimentGroup"> & { id: string };
type WritableGroup = WritableSchema<"ExperimentGroup">;

export const HALVES: WritableGroup[] = [
  { name: "Control", size: 50 },
  { name: "Test", size: 50 },
];

/**
 * The groups as they are kept. A given one is the current group with its id or, if it has none, the one with its name that no other
 * claims by id: it keeps that group's id, and the fields that it leaves out.
 */
export function toGroups(given: WritableGroup[], current: Group[], violations: Violation[]): Group[] {
  const claimed = new Set(given.map(({ id }) => id));
  const byID = new Map(current.map((group) => [group.id, group]));
  const byName = new Map(current.filter(({ id }) => !claimed.has(id)).map((group) => [group.name, group]));
  const groups = given.map((group) => toGroup(group, group.id ? byID.get(group.id) : byName.get(group.name)));
  checkSizes(groups, violations);
  checkDistinct(groups, "name", "groups", violations);
  checkDistinct(groups, "id", "groups", violations);
  return groups;
}

/** The ids that an experiment names among its groups must be theirs. */
export function checkGroupIDs(
  { groups, controlGroupID, launchedGroupID }: { groups: { id?: string | null }[]; controlGroupID: string; launchedGroupID: string | null },
  violations: Violation[],
): void {
  // A list without groups is refused for its sizes already.
  if (groups.length === 0) return;
  for (const [property, id] of Object.entries({ controlGroupID, launchedGroupID })) {
    if (id !== null && !groups.some((group) => group.id === id)) violations.push({ property, errorMessage: "must be the id of a group" });
  }
}

function toGroup(given: WritableGroup, before: Group | undefined): Group {
  const id = given.id ?? before?.id ?? randomID();
  return { parameterValues: {}, description: "", ...before, ...given, id };
}

/** Sizes such as 33.33 do not sum to 100 exactly, so that the sum is tested with a tolerance. */
function checkSizes(groups: Group[], violations: Violation[]): void {
  const total = groups.reduce((sum, { size }) => sum + size, 0);
  if (Math.abs(total - 100) <= 0.001) return;
  violations.push({ property: "groups", errorMessage: `must have sizes that sum to 100, not ${Number(total.toFixed(6))}` });
}
