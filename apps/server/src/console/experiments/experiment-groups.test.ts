import { describe, expect, test } from "vitest";
import type { Violation } from "../../errors.ts";
import { checkGroupIDs, toGroups } from "./experiment-groups.ts";

const current = [
  { id: "a", name: "Control", size: 50, parameterValues: { color: "blue" }, description: "" },
  { id: "b", name: "Test", size: 50, parameterValues: { color: "green" }, description: "", highlighted: true },
];

function violationsOf(given: Parameters<typeof toGroups>[0]): Violation[] {
  const violations: Violation[] = [];
  toGroups(given, current, violations);
  return violations;
}

describe("toGroups", () => {
  test("a group without an id gets one", () => {
    expect(toGroups([{ name: "All", size: 100, id: null }], [], [])).toEqual([
      { id: expect.stringMatching(/^\w{22}$/), name: "All", size: 100, parameterValues: {}, description: "" },
    ]);
  });

  test("a group is the one with its id, whatever its name, and keeps what is left out", () => {
    expect(
      toGroups(
        [
          { id: "b", name: "Green", size: 60 },
          { id: "a", name: "Control", size: 40, parameterValues: {} },
        ],
        current,
        [],
      ),
    ).toEqual([
      { ...current[1], name: "Green", size: 60 },
      { ...current[0], size: 40, parameterValues: {} },
    ]);
  });

  test("a group without an id is the one with its name", () => {
    const [group] = toGroups([{ name: "Test", size: 100 }], current, []);
    expect(group).toEqual({ ...current[1], size: 100 });
  });

  test("a name is nobody's if the group that had it is claimed by its id", () => {
    const [renamed, fresh] = toGroups(
      [
        { id: "a", name: "Test", size: 50 },
        { name: "Control", size: 50 },
      ],
      current,
      [],
    );
    expect(renamed?.id).toBe("a");
    expect(fresh).toEqual({ id: expect.stringMatching(/^\w{22}$/), name: "Control", size: 50, parameterValues: {}, description: "" });
  });

  test("sizes sum to 100, thirds too", () => {
    const thirds = ["x", "y", "z"].map((name) => ({ name, size: 33.3333 }));
    expect(violationsOf(thirds)).toEqual([]);
    expect(violationsOf(thirds.slice(1))).toEqual([{ property: "groups", errorMessage: "must have sizes that sum to 100, not 66.6666" }]);
    expect(violationsOf([])).toEqual([{ property: "groups", errorMessage: "must have sizes that sum to 100, not 0" }]);
  });

  test("names and ids are unique", () => {
    expect(
      violationsOf([
        { id: "a", name: "One", size: 50 },
        { id: "a", name: "One", size: 50 },
      ]),
    ).toEqual([
      { property: "groups[1].name", errorMessage: "must be unique in groups, but One is given twice" },
      { property: "groups[1].id", errorMessage: "must be unique in groups, but a is given twice" },
    ]);
  });
});

describe("checkGroupIDs", () => {
  test("both ids must be those of groups; no group need be launched", () => {
    const violations: Violation[] = [];
    checkGroupIDs({ groups: current, controlGroupID: "a", launchedGroupID: null }, violations);
    expect(violations).toEqual([]);
    checkGroupIDs({ groups: current, controlGroupID: "x", launchedGroupID: "y" }, violations);
    expect(violations).toEqual([
      { property: "controlGroupID", errorMessage: "must be the id of a group" },
      { property: "launchedGroupID", errorMessage: "must be the id of a group" },
    ]);
  });
});
