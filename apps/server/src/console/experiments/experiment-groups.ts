import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import { invalid, type Violation } from "../../common/errors.ts";
import { randomID } from "../../common/identifier.ts";
import { checkDistinct } from "../common/distinct.ts";
import { checkSum } from "../common/percentage.ts";

export type Group = Schema<"ExperimentGroup"> & { id: string };
type ExperimentGroups = Schema<"Experiment">["groups"];
type Divided = Pick<Schema<"Experiment">, "allocation" | "assignmentSourceName" | "groups" | "idType" | "qualifyingEventName" | "status">;
type WritableGroup = WritableSchema<"ExperimentGroup">;

export const DEFAULT_GROUPS: WritableGroup[] = [
  { name: "Control", size: 50 },
  { name: "Test", size: 50 },
];

/**
 * The groups as they are stored. A given group updates the current group with its id; without an id, the one with its name, unless another
 * given group has that one's id. It keeps the current group's id, and the fields that it leaves out.
 */
export function toGroups(given: WritableGroup[], current: Group[], now: number, violations: Violation[]): Group[] {
  const claimed = new Set(given.map(({ id }) => id));
  const byID = new Map(current.map((group) => [group.id, group]));
  const byName = new Map(current.filter(({ id }) => !claimed.has(id)).map((group) => [group.name, group]));
  const groups = given.map((group) => toGroup(group, group.id ? byID.get(group.id) : byName.get(group.name), now));
  const sizes = groups.map(({ size }) => size);
  checkSum(sizes, "sizes", "groups", violations);
  checkDistinct(groups, "name", "groups", violations);
  checkDistinct(groups, "id", "groups", violations);
  return groups;
}

/** Checks that the control group and the launched group exist. */
export function checkGroupIDs(
  { groups, controlGroupID, launchedGroupID }: { groups: { id?: string | null }[]; controlGroupID: string; launchedGroupID: string | null },
  violations: Violation[],
): void {
  // An empty list already violates the sum of sizes.
  if (groups.length === 0) return;
  for (const [property, id] of Object.entries({ controlGroupID, launchedGroupID })) {
    if (id !== null && !groups.some((group) => group.id === id)) violations.push({ property, errorMessage: "must be the id of a group" });
  }
}

/**
 * Disables or enables the groups with the given names.
 * @throws AppError invalid_request with each unknown name
 */
export function toggleGroups(groups: ExperimentGroups, names: string[], disabled: boolean, now: number): ExperimentGroups {
  const known = new Set(groups.map(({ name }) => name));
  const toggled = new Set(names);
  const violations = names.flatMap((name, index) =>
    known.has(name)
      ? []
      : [{ property: `group_names[${index}]`, errorMessage: `must be the name of a group, but there is no group ${name}` }],
  );
  if (violations.length > 0) throw invalid(violations);
  return groups.map((group) => (toggled.has(group.name) ? withDisabledTime({ ...group, disabled }, group, now) : group));
}

/** The group with the time at which it was disabled; without one if it is enabled. */
export function withDisabledTime<G extends ExperimentGroups[number]>(
  group: G,
  before: ExperimentGroups[number] | undefined,
  now: number,
): G {
  const { disabledTime: _, ...rest } = group;
  if (!group.disabled) return rest as G;
  return { ...group, disabledTime: (before?.disabled ? before.disabledTime : undefined) ?? now };
}

/** Rejects changes that would move units between groups while the experiment runs. */
export function checkFixed(before: Divided, after: Divided, violations: Violation[]): void {
  const refuse = (property: string, what: string) =>
    violations.push({ property, errorMessage: `${what} while the experiment is ${before.status}` });
  if (after.idType !== before.idType) refuse("idType", `cannot change from ${before.idType} to ${after.idType}`);
  if ((after.assignmentSourceName ?? "") !== (before.assignmentSourceName ?? "")) refuse("assignmentSourceName", "cannot change");
  if ((after.qualifyingEventName ?? "") !== (before.qualifyingEventName ?? "")) refuse("qualifyingEventName", "cannot change");
  const keptByID = new Map(before.groups.map((group) => [group.id, group]));
  const ids = new Set(after.groups.map(({ id }) => id));
  for (const [index, group] of after.groups.entries()) {
    const kept = keptByID.get(group.id);
    if (!kept) refuse(`groups[${index}]`, "cannot be added");
    else if (kept.size !== group.size) refuse(`groups[${index}].size`, `cannot change from ${kept.size} to ${group.size}`);
  }
  const gone = before.groups.filter(({ id }) => !ids.has(id));
  if (gone.length > 0) refuse("groups", `must keep ${gone.map(({ name }) => name).join(", ")}`);
  const isOrdered = after.groups.every(({ id }, index) => id === before.groups[index]?.id);
  if (!isOrdered && gone.length === 0 && after.groups.length === before.groups.length) refuse("groups", "cannot change their order");
  if (before.status === "assignment_stopped" && after.allocation > before.allocation) {
    refuse("allocation", `cannot grow from ${before.allocation} to ${after.allocation}`);
  }
}

function toGroup(given: WritableGroup, before: Group | undefined, now: number): Group {
  const id = given.id || before?.id || randomID();
  return withDisabledTime({ parameterValues: {}, description: "", ...before, ...given, id }, before, now);
}
