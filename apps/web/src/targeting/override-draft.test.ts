import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { overrideRowChanges } from "./override-changes.ts";
import {
  addOverrides,
  type OverrideRow,
  overrideFaults,
  overrideKey,
  removeOverrides,
  setSide,
  toOverrideLists,
  toOverrideRows,
} from "./override-draft.ts";
import { toText } from "./parts.ts";
import type { OverrideLists } from "./types.ts";

const EVERYWHERE = { environment: null, unit: "userID" };
const row = (id: string, side: "pass" | "fail", more: Partial<OverrideRow> = {}): OverrideRow => ({ ...EVERYWHERE, id, side, ...more });
const stored = (given: Partial<OverrideLists>): OverrideLists => ({
  passingUserIDs: [],
  failingUserIDs: [],
  passingCustomIDs: [],
  failingCustomIDs: [],
  environmentOverrides: [],
  version: 1,
  createdTime: 1,
  ...given,
});

const anyRow = fc.record<OverrideRow>({
  environment: fc.constantFrom(null, "staging", "production"),
  unit: fc.constantFrom("userID", "companyID", "stableID"),
  id: fc.constantFrom("a", "A", "b", "c"),
  side: fc.constantFrom("pass", "fail"),
});
const anyRows = fc.uniqueArray(anyRow, { selector: overrideKey });
const anyIDType = fc.constantFrom("userID", "companyID");
const sorted = (rows: readonly OverrideRow[]) => rows.map((one) => JSON.stringify([overrideKey(one), one.side])).toSorted();

describe("toOverrideRows and toOverrideLists", () => {
  const lists = stored({
    passingUserIDs: ["alice"],
    failingUserIDs: ["mallory"],
    passingCustomIDs: ["acme"],
    environmentOverrides: [
      { environment: "production", unitID: null, passingIDs: ["bob"], failingIDs: [] },
      { environment: null, unitID: "stableID", passingIDs: [], failingIDs: ["phone"] },
    ],
  });

  test("make a flat table of the lists, and the lists again", () => {
    const rows = toOverrideRows(lists, "companyID");
    expect(rows).toEqual([
      row("alice", "pass"),
      row("mallory", "fail"),
      row("acme", "pass", { unit: "companyID" }),
      row("bob", "pass", { environment: "production" }),
      row("phone", "fail", { unit: "stableID" }),
    ]);
    const { version: _version, createdTime: _createdTime, ...given } = lists;
    expect(toOverrideLists(rows, "companyID")).toEqual(given);
  });

  test("an id on several lists of one place is on the list that evaluation finds first", () => {
    const twice = stored({
      passingUserIDs: ["a"],
      failingCustomIDs: ["a", "b"],
      environmentOverrides: [{ environment: null, unitID: "userID", passingIDs: ["b"], failingIDs: [] }],
    });
    expect(toOverrideRows(twice, "userID")).toEqual([row("a", "pass"), row("b", "fail")]);
  });

  test("any table comes back from its lists, and no id is on two lists of one place", () => {
    fc.assert(
      fc.property(anyRows, anyIDType, (rows, idType) => {
        const given = toOverrideLists(rows, idType);
        const back = toOverrideRows(stored(given as Partial<OverrideLists>), idType);
        expect(sorted(back)).toEqual(sorted(rows));
        for (const { passingIDs, failingIDs } of given.environmentOverrides ?? []) {
          expect(passingIDs.filter((id) => failingIDs.includes(id))).toEqual([]);
        }
      }),
    );
  });
});

describe("edits", () => {
  test("addOverrides moves ids from the opposite list of the place, and no others", () => {
    const rows = [row("a", "fail"), row("a", "fail", { environment: "staging" }), row("b", "pass")];
    expect(addOverrides(rows, EVERYWHERE, "pass", ["a", "b", "c", "c"])).toEqual({
      rows: [row("a", "pass"), row("a", "fail", { environment: "staging" }), row("b", "pass"), row("c", "pass")],
      added: 1,
      moved: 1,
      unchanged: 1,
    });
  });

  test("after addOverrides every given ID is on the list, once at its place", () => {
    fc.assert(
      fc.property(anyRows, anyRow, fc.array(fc.constantFrom("a", "b", "c", "d")), (rows, { id: _id, side, ...place }, ids) => {
        const { rows: after, added, moved, unchanged } = addOverrides(rows, place, side, ids);
        expect(new Set(after.map(overrideKey)).size).toBe(after.length);
        for (const id of ids) expect(after).toContainEqual({ ...place, id, side });
        expect(added + moved + unchanged).toBe(new Set(ids).size);
        expect(after.length).toBe(rows.length + added);
      }),
    );
  });

  test("rows are removed and change sides by their keys", () => {
    const rows = [row("a", "fail"), row("b", "pass")];
    expect(removeOverrides(rows, [overrideKey(row("a", "pass"))])).toEqual([row("b", "pass")]);
    expect(setSide(rows, rows.map(overrideKey), "pass")).toEqual([row("a", "pass"), row("b", "pass")]);
  });
});

describe("overrideFaults", () => {
  test("finds nothing in lists that the server takes", () => {
    expect(overrideFaults([row("a", "pass"), row("x".repeat(1000), "fail")], "userID")).toEqual([]);
  });

  test("rejects ids that are empty or too long, and lists that are", () => {
    const [empty, long] = [row("", "pass"), row("x".repeat(1001), "fail", { environment: "staging" })];
    const many = Array.from({ length: 2001 }, (_, index) => row(`id ${index}`, "fail"));
    const faults = overrideFaults([empty, long, ...many], "userID");
    expect(faults.map(({ property, message, rows }) => [property, message, rows])).toEqual([
      ["failingUserIDs", "This list has 2001 IDs. Use at most 2000, or use a segment instead.", []],
      ["passingUserIDs", "Enter an ID.", [overrideKey(empty)]],
      ["environmentOverrides", "Use at most 1000 characters.", [overrideKey(long)]],
    ]);
  });

  test("warns of environments and unit ID types that the project lacks", () => {
    const rows = [row("a", "pass", { environment: "stagin" }), row("b", "pass", { unit: "userid" })];
    const known = { environments: ["staging"], units: ["userID"] };
    expect(overrideFaults(rows, "userID", known).map(({ level, message }) => `${level}: ${message}`)).toEqual([
      "warning: Unknown environment: stagin.",
      "warning: Unknown unit ID type: userid.",
    ]);
  });

  test("rejects more pairs of environment and unit ID type than the server stores", () => {
    const rows = Array.from({ length: 201 }, (_, index) => row("a", "pass", { environment: `e${index}` }));
    expect(overrideFaults(rows, "userID").map(({ property }) => property)).toEqual(["environmentOverrides"]);
  });
});

test("overrideRowChanges says for each list what came and what went", () => {
  const before = [row("a", "pass"), row("b", "pass"), row("acme", "fail", { unit: "companyID" })];
  const after = [row("a", "pass"), row("b", "fail"), row("c", "pass"), row("d", "pass", { environment: "staging" })];
  expect(overrideRowChanges(before, after, "companyID").map(({ kind, field, parts }) => `${kind} ${field}: ${toText(parts)}`)).toEqual([
    "changed passingUserIDs: Always pass in all environments (users): + c, − b",
    "removed failingCustomIDs: Always fail in all environments (companyID units): − acme",
    "added failingUserIDs: Always fail in all environments (users): + b",
    "added environmentOverrides: Always pass in staging (users): + d",
  ]);
});
