import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import type { Context } from "../../common/context.ts";
import { invalid, type Violation } from "../../common/errors.ts";
import { overridden } from "./stamp.ts";

type OverrideLists = Schema<"OverrideLists">;
type Given = WritableSchema<"OverrideListsUpdate">;
type EnvironmentOverride = OverrideLists["environmentOverrides"][number];
type Lists = Omit<OverrideLists, "version" | "createdTime">;

/** Stands for the overrides of an entity that has never had any. */
export const NO_OVERRIDES: OverrideLists = { ...toLists({}), version: 0, createdTime: 0 };

/** Replaces all lists. @throws AppError invalid_request if an id both passes and fails */
export function replaceOverrides(overrides: OverrideLists, given: Given, context: Context): OverrideLists {
  requireOneSide(given);
  return { ...combine(toLists({}), toLists(given), union), ...overridden(overrides, context) };
}

/** Adds ids, and removes each from the opposite list. @throws AppError invalid_request if an id both passes and fails */
export function addOverrides(overrides: OverrideLists, given: Given, context: Context): OverrideLists {
  requireOneSide(given);
  return { ...combine(overrides, toLists(given), union), ...overridden(overrides, context) };
}

/** Removes the given ids; all of them if `given` is undefined. */
export function removeOverrides(overrides: OverrideLists, given: Given | undefined, context: Context): OverrideLists {
  if (!given) return { ...toLists({}), ...overridden(overrides, context) };
  return { ...combine(overrides, toLists(given), difference), ...overridden(overrides, context) };
}

/** Ids that pass and ids that fail. */
type Sides = { passing: string[]; failing: string[] };
type SetOperation = (held: Sides, given: Sides) => Sides;

function union(held: Sides, given: Sides): Sides {
  return {
    passing: [...new Set([...without(held.passing, given.failing), ...given.passing])],
    failing: [...new Set([...without(held.failing, given.passing), ...given.failing])],
  };
}

function difference(held: Sides, given: Sides): Sides {
  return { passing: without(held.passing, given.passing), failing: without(held.failing, given.failing) };
}

function without(ids: string[], others: string[]): string[] {
  const removed = new Set(others);
  return ids.filter((id) => !removed.has(id));
}

function combine(held: Lists, given: Lists, operation: SetOperation): Lists {
  const users = operation(userSides(held), userSides(given));
  const customs = operation(customSides(held), customSides(given));
  return {
    passingUserIDs: users.passing,
    failingUserIDs: users.failing,
    passingCustomIDs: customs.passing,
    failingCustomIDs: customs.failing,
    environmentOverrides: combineEnvironments(held.environmentOverrides, given.environmentOverrides, operation),
  };
}

/** One item for each environment and unit ID type. Drops items without ids. */
function combineEnvironments(held: EnvironmentOverride[], given: EnvironmentOverride[], operation: SetOperation): EnvironmentOverride[] {
  const items = new Map(held.map((item) => [toKey(item), item]));
  for (const item of given) {
    const { environment = null, unitID = null } = item;
    const { passing, failing } = operation(toSides(items.get(toKey(item))), toSides(item));
    items.set(toKey(item), { environment, unitID, passingIDs: passing, failingIDs: failing });
  }
  return [...items.values()].filter(({ passingIDs, failingIDs }) => passingIDs.length + failingIDs.length > 0);
}

const toKey = ({ environment = null, unitID = null }: EnvironmentOverride) => JSON.stringify([environment, unitID]);
const toSides = (item?: EnvironmentOverride): Sides => ({ passing: item?.passingIDs ?? [], failing: item?.failingIDs ?? [] });
const userSides = (lists: Lists): Sides => ({ passing: lists.passingUserIDs, failing: lists.failingUserIDs });
const customSides = (lists: Lists): Sides => ({ passing: lists.passingCustomIDs, failing: lists.failingCustomIDs });

function toLists(given: Given): Lists {
  const { passingUserIDs = [], failingUserIDs = [], passingCustomIDs = [], failingCustomIDs = [], environmentOverrides = [] } = given;
  return { passingUserIDs, failingUserIDs, passingCustomIDs, failingCustomIDs, environmentOverrides };
}

function requireOneSide(given: Given): void {
  const lists = toLists(given);
  const violations: Violation[] = [];
  const check = ({ passing, failing }: Sides, property: string) => {
    const failed = new Set(failing);
    const both = passing.filter((id) => failed.has(id));
    if (both.length > 0)
      violations.push({ property, errorMessage: `must not contain ${both.join(", ")}, which the passing list contains too` });
  };
  check(userSides(lists), "failingUserIDs");
  check(customSides(lists), "failingCustomIDs");
  for (const [index, item] of lists.environmentOverrides.entries()) check(toSides(item), `environmentOverrides[${index}].failingIDs`);
  if (violations.length > 0) throw invalid(violations);
}
