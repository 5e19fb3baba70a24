import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import type { Context } from "../../common/context.ts";
import { invalid, type Violation } from "../../common/errors.ts";
import { overridden } from "../common/stamp.ts";
import type { Reference } from "../reference.ts";
import type { Experiment } from "./experiment.ts";

export type ExperimentOverrides = Schema<"ExperimentOverrides">;
type Given = WritableSchema<"ExperimentOverridesUpdate">;
type Lists = Pick<ExperimentOverrides, "overrides" | "userIDOverrides">;
type ConditionalOverride = Lists["overrides"][number];
type UnitOverride = Lists["userIDOverrides"][number];

/** Stands for the overrides of an experiment that has never had any. */
export const NO_OVERRIDES: ExperimentOverrides = { overrides: [], userIDOverrides: [], version: 0, createdTime: 0 };

/** The most items of a list of overrides, and the most ids of an item. */
const MAX_LIST_LENGTH = 1000;

/** Replaces all overrides. @throws AppError invalid_request with each unknown group */
export function replaceOverrides(
  experiment: Experiment,
  current: ExperimentOverrides,
  given: Given,
  context: Context,
): ExperimentOverrides {
  const { overrides, userIDOverrides } = normalized(experiment, given);
  return next(current, oneGroupEach(overrides), oneGroupEachUnit(userIDOverrides), context);
}

/** Adds overrides. @throws AppError invalid_request with each unknown group */
export function addOverrides(experiment: Experiment, current: ExperimentOverrides, given: Given, context: Context): ExperimentOverrides {
  const { overrides, userIDOverrides } = normalized(experiment, given);
  return next(
    current,
    oneGroupEach([...current.overrides, ...overrides]),
    oneGroupEachUnit([...current.userIDOverrides, ...userIDOverrides]),
    context,
  );
}

/** Removes the given overrides; all of them if `given` is undefined. @throws AppError invalid_request with each unknown group */
export function removeOverrides(
  experiment: Experiment,
  current: ExperimentOverrides,
  given: Given | undefined,
  context: Context,
): ExperimentOverrides {
  if (!given) return next(current, [], [], context);
  const { overrides, userIDOverrides } = normalized(experiment, given);
  const gone = new Set(overrides.map((override) => `${subjectKey(override)} ${override.groupID}`));
  const goneUnits = new Set(userIDOverrides.flatMap((override) => override.ids.map((id) => overrideKey(override, id))));
  return next(
    current,
    current.overrides.filter((override) => !gone.has(`${subjectKey(override)} ${override.groupID}`)),
    current.userIDOverrides
      .map((override) => ({ ...override, ids: override.ids.filter((id) => !goneUnits.has(overrideKey(override, id))) }))
      .filter(({ ids }) => ids.length > 0),
    context,
  );
}

/** The overrides' references. */
export function namedByExperimentOverrides({ overrides }: Lists): Reference[] {
  return overrides.map(({ type, id }, index) => ({ type, id, place: `overrides[${index}].id` }));
}

/** @throws AppError invalid_request if a change drops a group that has overrides */
export function requireNoOverrides(before: Experiment, after: Experiment, { overrides, userIDOverrides }: Lists): void {
  const overridden = new Set([...overrides, ...userIDOverrides].map(({ groupID }) => groupID));
  const ids = new Set(after.groups.map(({ id }) => id));
  const gone = before.groups.filter(({ id }) => overridden.has(id ?? "") && !ids.has(id));
  if (gone.length === 0) return;
  const names = gone.map(({ name }) => name).join(", ");
  throw invalid([{ property: "groups", errorMessage: `must keep ${names}, which overrides reference` }]);
}

/** The given lists with groups by id, and null for fields that are left out. A text that is both an id and a name means the id. */
function normalized({ groups }: Experiment, given: Given): Lists {
  const violations: Violation[] = [];
  const byID = new Map(groups.map((group) => [group.id, group]));
  const byName = new Map(groups.map((group) => [group.name, group]));
  const groupID = (name: string, place: string) => {
    const group = byID.get(name) ?? byName.get(name);
    if (!group)
      violations.push({
        property: `${place}.groupID`,
        errorMessage: `must be the id or the name of a group, but there is no group ${name}`,
      });
    return group?.id ?? name;
  };
  const overrides = given.overrides.map(({ environment = null, ...override }, index) => ({
    ...override,
    groupID: groupID(override.groupID, `overrides[${index}]`),
    environment,
  }));
  const userIDOverrides = given.userIDOverrides.map(({ environment = null, unitType = null, ...override }, index) => ({
    ...override,
    groupID: groupID(override.groupID, `userIDOverrides[${index}]`),
    environment,
    unitType,
  }));
  if (violations.length > 0) throw invalid(violations);
  return { overrides, userIDOverrides };
}

/** Keeps one group for each gate or segment and environment: the last one given. */
function oneGroupEach(overrides: ConditionalOverride[]): ConditionalOverride[] {
  return [...new Map(overrides.map((override) => [subjectKey(override), override])).values()];
}

/** Keeps one group for each unit and environment: the last one given. Splits entries that have more than MAX_LIST_LENGTH ids. */
function oneGroupEachUnit(overrides: UnitOverride[]): UnitOverride[] {
  const homes = new Map<string, UnitOverride>();
  for (const override of overrides) for (const id of override.ids) homes.set(unitKey(override, id), override);
  const entries = new Map<string, { override: UnitOverride; ids: Set<string> }>();
  for (const override of overrides) {
    const key = overrideKey(override, "");
    const entry = entries.get(key) ?? { override, ids: new Set() };
    entries.set(key, entry);
    for (const id of override.ids) if (homes.get(unitKey(override, id))?.groupID === override.groupID) entry.ids.add(id);
  }
  return [...entries.values()].flatMap(({ override, ids }) => split([...ids]).map((some) => ({ ...override, ids: some })));
}

function split(ids: string[]): string[][] {
  return Array.from({ length: Math.ceil(ids.length / MAX_LIST_LENGTH) }, (_, index) =>
    ids.slice(index * MAX_LIST_LENGTH, (index + 1) * MAX_LIST_LENGTH),
  );
}

function next(
  current: ExperimentOverrides,
  overrides: ConditionalOverride[],
  userIDOverrides: UnitOverride[],
  context: Context,
): ExperimentOverrides {
  const violations = Object.entries({ overrides, userIDOverrides })
    .filter(([, list]) => list.length > MAX_LIST_LENGTH)
    .map(([property, list]) => ({
      property,
      errorMessage: `must not exceed ${MAX_LIST_LENGTH} items in total, but there would be ${list.length}`,
    }));
  if (violations.length > 0) throw invalid(violations);
  return { overrides, userIDOverrides, ...overridden(current, context) };
}

const subjectKey = ({ type, id, environment }: ConditionalOverride) => JSON.stringify([type, id, environment]);
const unitKey = ({ environment, unitType }: UnitOverride, id: string) => JSON.stringify([environment, unitType, id]);
const overrideKey = (override: UnitOverride, id: string) => JSON.stringify([override.groupID, unitKey(override, id)]);
