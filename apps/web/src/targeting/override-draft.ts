import { equal } from "./equal.ts";
import type { Fault, GivenOverrideLists, OverrideLists } from "./types.ts";

export type Side = "pass" | "fail";
/** Ids of one unit ID type in one environment. Null means every environment. */
export type OverridePlace = { environment: string | null; unit: string };
/** An id that passes or fails regardless of the rules. */
export type OverrideRow = OverridePlace & { id: string; side: Side };

/** Identifies a row: an id is on one list only in each environment and unit ID type. */
export function overrideKey({ environment, unit, id }: OverridePlace & { id: string }): string {
  return JSON.stringify([environment, unit, id]);
}

/**
 * The lists as a flat table. If several lists of the same place have an id, the one that evaluation finds first counts.
 * @param idType the entity's own unit ID type, used for custom ids
 */
export function toOverrideRows(lists: OverrideLists, idType: string): OverrideRow[] {
  const { passingUserIDs, failingUserIDs, passingCustomIDs, failingCustomIDs, environmentOverrides } = lists;
  const user = { environment: null, unit: "userID" };
  const custom = { environment: null, unit: idType };
  return distinct([
    ...toRows(user, "pass", passingUserIDs),
    ...toRows(user, "fail", failingUserIDs),
    ...toRows(custom, "pass", passingCustomIDs),
    ...toRows(custom, "fail", failingCustomIDs),
    ...environmentOverrides.flatMap(({ environment, unitID, passingIDs, failingIDs }) => {
      const place = { environment: environment ?? null, unit: unitID ?? "userID" };
      return [...toRows(place, "pass", passingIDs), ...toRows(place, "fail", failingIDs)];
    }),
  ]);
}

/** The lists that a table stands for, as a request has them. Every list is there, since an omitted one would be emptied. */
export function toOverrideLists(rows: readonly OverrideRow[], idType: string): GivenOverrideLists {
  const places = new Map<string, OverridePlace & Record<Side, string[]>>();
  const listsAt = ({ environment, unit }: OverridePlace) => {
    const key = JSON.stringify([environment, unit]);
    const lists = places.get(key) ?? { environment, unit, pass: [], fail: [] };
    places.set(key, lists);
    return lists;
  };
  const users = listsAt({ environment: null, unit: "userID" });
  const customs = idType === "userID" ? { pass: [], fail: [] } : listsAt({ environment: null, unit: idType });
  for (const row of distinct(rows)) listsAt(row)[row.side].push(row.id);
  return {
    passingUserIDs: users.pass,
    failingUserIDs: users.fail,
    passingCustomIDs: customs.pass,
    failingCustomIDs: customs.fail,
    environmentOverrides: [...places.values()].flatMap((lists) => {
      if (lists === users || lists === customs || lists.pass.length + lists.fail.length === 0) return [];
      const { environment, unit, pass, fail } = lists;
      return [{ environment, unitID: unit === "userID" ? null : unit, passingIDs: pass, failingIDs: fail }];
    }),
  };
}

/** Overrides as two people change them: each id apart from the others. */
export type KeyedOverride = OverrideRow & { key: string };

export const toKeyedOverrides = (lists: OverrideLists, idType: string): KeyedOverride[] =>
  toOverrideRows(lists, idType).map((row) => ({ key: overrideKey(row), ...row }));

/** The lists that keyed overrides stand for: the stored ones if they say the same. */
export function fromKeyedOverrides(rows: readonly KeyedOverride[], stored: OverrideLists, idType: string): OverrideLists {
  if (equal(rows, toKeyedOverrides(stored, idType))) return stored;
  return { ...stored, ...toOverrideLists(rows, idType) } as OverrideLists;
}

/** Keyed overrides, one on each line. */
export const keyedOverridesText = (rows: readonly KeyedOverride[]): string =>
  rows.map(({ id, unit, environment, side }) => `${side} ${unit} ${id}${environment === null ? "" : ` in ${environment}`}`).join("\n") ||
  "None";

export type AddedOverrides = {
  rows: OverrideRow[];
  /** The ids that no list of the place had. */
  added: number;
  /** The ids that came from the opposite list. */
  moved: number;
  /** The ids that were on this list already. */
  unchanged: number;
};

/** Puts ids on a list, and takes each from the opposite list of the same place. */
export function addOverrides(rows: readonly OverrideRow[], place: OverridePlace, side: Side, ids: readonly string[]): AddedOverrides {
  const { environment, unit } = place;
  const sides = new Map(rows.map((row) => [overrideKey(row), row.side]));
  const given = distinct(toRows({ environment, unit }, side, ids));
  const fresh = given.filter((row) => !sides.has(overrideKey(row)));
  const moving = new Set(given.map(overrideKey).filter((key) => sides.has(key) && sides.get(key) !== side));
  return {
    rows: [...setSide(rows, moving, side), ...fresh],
    added: fresh.length,
    moved: moving.size,
    unchanged: given.length - fresh.length - moving.size,
  };
}

export function removeOverrides(rows: readonly OverrideRow[], keys: Iterable<string>): OverrideRow[] {
  const removed = new Set(keys);
  return rows.filter((row) => !removed.has(overrideKey(row)));
}

/** Puts rows on a list. */
export function setSide(rows: readonly OverrideRow[], keys: Iterable<string>, side: Side): OverrideRow[] {
  const chosen = new Set(keys);
  return rows.map((row) => (chosen.has(overrideKey(row)) ? { ...row, side } : row));
}

const MAX_IDS = 2000;
const MAX_PLACES = 200;
const MAX_ID_LENGTH = 1000;

/** The project's environments and units, to warn of unknown ones. */
export type KnownPlaces = { environments: readonly string[]; units: readonly string[] };

/** A fault of the table, with the keys of the rows that it concerns. Its property is a list of the contract. */
export type OverrideFault = Fault & { rows: string[] };

/** The faults of the lists. */
export function overrideFaults(rows: readonly OverrideRow[], idType: string, known?: KnownPlaces): OverrideFault[] {
  const faults: OverrideFault[] = [];
  const { environmentOverrides = [], ...lists } = toOverrideLists(rows, idType);
  for (const [property, ids] of Object.entries(lists)) faults.push(...tooLong(property, ids));
  for (const [index, { passingIDs, failingIDs }] of environmentOverrides.entries()) {
    const at = `environmentOverrides[${index}]`;
    faults.push(...tooLong(`${at}.passingIDs`, passingIDs), ...tooLong(`${at}.failingIDs`, failingIDs));
  }
  if (environmentOverrides.length > MAX_PLACES) {
    const message = `Use at most ${MAX_PLACES} combinations of environment and unit ID type.`;
    faults.push({ property: "environmentOverrides", level: "error", message, rows: [] });
  }
  for (const row of rows) {
    const problem = findProblem(row, known);
    if (problem) faults.push({ property: overrideList(row, row.side, idType), rows: [overrideKey(row)], ...problem });
  }
  return faults;
}

/** The field of the contract that has the ids of a place. */
export function overrideList({ environment, unit }: OverridePlace, side: Side, idType: string): keyof GivenOverrideLists {
  if (environment !== null || (unit !== "userID" && unit !== idType)) return "environmentOverrides";
  if (unit === "userID") return side === "pass" ? "passingUserIDs" : "failingUserIDs";
  return side === "pass" ? "passingCustomIDs" : "failingCustomIDs";
}

function tooLong(property: string, ids: readonly string[]): OverrideFault[] {
  if (ids.length <= MAX_IDS) return [];
  const message = `This list has ${ids.length} IDs. Use at most ${MAX_IDS}, or use a segment instead.`;
  return [{ property, level: "error", message, rows: [] }];
}

function findProblem({ id, environment, unit }: OverrideRow, known?: KnownPlaces): Pick<Fault, "level" | "message"> | undefined {
  if (id === "") return { level: "error", message: "Enter an ID." };
  if ([...id].length > MAX_ID_LENGTH) return { level: "error", message: `Use at most ${MAX_ID_LENGTH} characters.` };
  if (known && environment !== null && !known.environments.includes(environment)) {
    return { level: "warning", message: `Unknown environment: ${environment}.` };
  }
  if (known && !known.units.includes(unit)) return { level: "warning", message: `Unknown unit ID type: ${unit}.` };
  return undefined;
}

function toRows(place: OverridePlace, side: Side, ids: readonly string[]): OverrideRow[] {
  return ids.map((id) => ({ ...place, id, side }));
}

function distinct(rows: readonly OverrideRow[]): OverrideRow[] {
  const seen = new Set<string>();
  return rows.filter((row) => {
    const key = overrideKey(row);
    return !seen.has(key) && seen.add(key);
  });
}
