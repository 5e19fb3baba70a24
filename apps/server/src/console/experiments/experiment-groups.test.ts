import { describe, expect, test } from "vitest";
import { catchViolations } from "../../../test/support/violations.ts";
import type { Violation } from "../../common/errors.ts";
import { checkFixed, checkGroupIDs, toGroups, toggleGroups } from "./experiment-groups.ts";

const NOW = 1_764_500_000_000;
const current = [
  { id: "a", name: "Control", size: 50, parameterValues: { color: "blue" }, description: "" },
  { id: "b", name: "Test", size: 50, parameterValues: { color: "green" }, description: "", highlighted: true },
];

function violationsOfGroups(given: Parameters<typeof toGroups>[0]): Violation[] {
  const violations: Violation[] = [];
  toGroups(given, current, NOW, violations);
  return violations;
}

describe("toGroups", () => {
  test("a group without an id gets one", () => {
    expect(toGroups([{ name: "All", size: 100, id: null }], [], NOW, [])).toEqual([
      { id: expect.stringMatching(/^\w{22}$/), name: "All", size: 100, parameterValues: {}, description: "" },
    ]);
  });

  test("groups are matched by ID, not by name, and omitted fields keep their values", () => {
    expect(
      toGroups(
        [
          { id: "b", name: "Green", size: 60 },
          { id: "a", name: "Control", size: 40, parameterValues: {} },
        ],
        current,
        NOW,
        [],
      ),
    ).toEqual([
      { ...current[1], name: "Green", size: 60 },
      { ...current[0], size: 40, parameterValues: {} },
    ]);
  });

  test("a group without an id is the one with its name", () => {
    const [group] = toGroups([{ name: "Test", size: 100 }], current, NOW, []);
    expect(group).toEqual({ ...current[1], size: 100 });
  });

  test("a group without an id is new if another claims the group with its name by id", () => {
    const [renamed, fresh] = toGroups(
      [
        { id: "a", name: "Test", size: 50 },
        { name: "Control", size: 50 },
      ],
      current,
      NOW,
      [],
    );
    expect(renamed?.id).toBe("a");
    expect(fresh).toEqual({ id: expect.stringMatching(/^\w{22}$/), name: "Control", size: 50, parameterValues: {}, description: "" });
  });

  test("sizes sum to 100, thirds too", () => {
    const thirds = ["x", "y", "z"].map((name) => ({ name, size: 33.3333 }));
    expect(violationsOfGroups(thirds)).toEqual([]);
    expect(violationsOfGroups(thirds.slice(1))).toEqual([
      { property: "groups", errorMessage: "must have sizes that sum to 100, not 66.6666" },
    ]);
    expect(violationsOfGroups([])).toEqual([{ property: "groups", errorMessage: "must have sizes that sum to 100, not 0" }]);
  });

  test("names and ids are unique", () => {
    expect(
      violationsOfGroups([
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

describe("checkFixed", () => {
  const running = { status: "active" as const, idType: "userID", allocation: 50, groups: current };
  const violationsOfChange = (change: object, before: object = {}) => {
    const violations: Violation[] = [];
    checkFixed({ ...running, ...before }, { ...running, ...before, ...change }, violations);
    return violations.map(({ property, errorMessage }) => `${property} ${errorMessage}`);
  };
  const [a, b] = current as [(typeof current)[0], (typeof current)[0]];

  test.each([
    [
      "a size",
      {
        groups: [
          { ...a, size: 40 },
          { ...b, size: 60 },
        ],
      },
      ["groups[0].size cannot change from 50 to 40", "groups[1].size cannot change from 50 to 60"],
    ],
    ["another group", { groups: [a, b, { ...a, id: "c", size: 0 }] }, ["groups[2] cannot be added"]],
    ["a group less", { groups: [a] }, ["groups must keep Test"]],
    ["another order, which divides the units otherwise", { groups: [b, a] }, ["groups cannot change their order"]],
    ["another unit", { idType: "stableID" }, ["idType cannot change from userID to stableID"]],
  ])("%s is refused", (_, change, expected) => {
    expect(violationsOfChange(change)).toEqual(expected.map((text) => `${text} while the experiment is active`));
  });

  test("the allocation moves freely, but does not grow once assignment is stopped", () => {
    expect(violationsOfChange({ allocation: 60 })).toEqual([]);
    const stopped = { status: "assignment_stopped" };
    expect(violationsOfChange({ allocation: 40 }, stopped)).toEqual([]);
    expect(violationsOfChange({ allocation: 60 }, stopped)).toEqual([
      "allocation cannot grow from 50 to 60 while the experiment is assignment_stopped",
    ]);
  });
});

describe("toggleGroups", () => {
  test("disables those with the names given, and enables them again", () => {
    const disabled = toggleGroups(current, ["Test"], true, NOW);
    expect(disabled).toEqual([current[0], { ...current[1], disabled: true, disabledTime: NOW }]);
    expect(toggleGroups(disabled, ["Test"], false, NOW + 1)).toEqual([current[0], { ...current[1], disabled: false }]);
  });

  test("a group that is disabled again stays disabled since the first time", () => {
    const disabled = toggleGroups(current, ["Test"], true, NOW);
    expect(toggleGroups(disabled, ["Test"], true, NOW + 1)).toEqual(disabled);
    const given = current.map(({ id, name, size }) => ({ id, name, size, disabled: id === "b" }));
    expect(toGroups(given, disabled as typeof current, NOW + 1, [])[1]).toEqual(disabled[1]);
  });

  test("names of no group are rejected", () => {
    expect(catchViolations(() => toggleGroups(current, ["Test", "Tset"], true, NOW))).toEqual([
      { property: "group_names[1]", errorMessage: "must be the name of a group, but there is no group Tset" },
    ]);
  });
});
