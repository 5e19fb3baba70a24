import { describe, expect, test } from "vitest";
import { catchViolations } from "../../../test/support/violations.ts";
import { newExperiment } from "./experiment.ts";
import {
  addOverrides,
  type ExperimentOverrides,
  NO_OVERRIDES,
  removeOverrides,
  replaceOverrides,
  requireNoOverrides,
} from "./experiment-overrides.ts";

const context = {
  actor: { id: "key_1", name: "CONSOLE API", email: null },
  projectID: "p",
  operationID: "updateExperimentOverrides",
  now: 1,
};
const groups = [
  { id: "a", name: "A", size: 50 },
  { id: "b", name: "B", size: 50 },
];
const experiment = newExperiment({ name: "color", groups }, undefined, context);
const units = (groupID: string, ids: string[], place: { environment?: string; unitType?: string } = {}) => ({
  groupID,
  ids,
  environment: "staging",
  unitType: "userID",
  ...place,
});
const segment = (id: string, groupID: string, environment: string | null = null) => ({
  type: "segment" as const,
  id,
  groupID,
  environment,
});
const given = (userIDOverrides: ReturnType<typeof units>[], overrides: ReturnType<typeof segment>[] = []) => ({
  overrides,
  userIDOverrides,
});
const start: ExperimentOverrides = {
  ...NO_OVERRIDES,
  version: 1,
  createdTime: 1,
  ...given([units("a", ["1", "2"])], [segment("staff", "a")]),
};

describe("replaceOverrides", () => {
  test("a group is given by id or name and stored by id; fields that are left out are null", () => {
    const overrides = { overrides: [{ type: "gate" as const, id: "beta", groupID: "B" }], userIDOverrides: [{ groupID: "a", ids: ["1"] }] };
    expect(replaceOverrides(experiment, start, overrides, context)).toEqual({
      overrides: [{ type: "gate", id: "beta", groupID: "b", environment: null }],
      userIDOverrides: [{ groupID: "a", ids: ["1"], environment: null, unitType: null }],
      version: 2,
      createdTime: 1,
    });
  });

  test("every unknown group is reported", () => {
    expect(
      catchViolations(() =>
        replaceOverrides(experiment, NO_OVERRIDES, given([units("a", []), units("c", [])], [segment("staff", "d")]), context),
      ),
    ).toEqual([
      { property: "overrides[0].groupID", errorMessage: "must be the id or the name of a group, but there is no group d" },
      { property: "userIDOverrides[1].groupID", errorMessage: "must be the id or the name of a group, but there is no group c" },
    ]);
  });

  test("a unit or segment that is given twice is in the last group", () => {
    const lists = given([units("a", ["1", "2"]), units("b", ["1"]), units("a", ["1"])], [segment("staff", "a"), segment("staff", "b")]);
    expect(replaceOverrides(experiment, NO_OVERRIDES, lists, context)).toMatchObject(
      given([units("a", ["1", "2"])], [segment("staff", "b")]),
    );
  });

  test("a list that is sent back unchanged stays unchanged, however many ids a group has", () => {
    const ids = Array.from({ length: 2500 }, (_, index) => `user_${index}`);
    const kept = replaceOverrides(experiment, NO_OVERRIDES, given([units("a", ids)]), context);
    expect(kept.userIDOverrides.map((override) => override.ids.length)).toEqual([1000, 1000, 500]);
    const { overrides, userIDOverrides } = kept;
    expect(replaceOverrides(experiment, kept, { overrides, userIDOverrides }, context)).toEqual({ ...kept, version: 2 });
  });
});

describe("addOverrides", () => {
  test("ids join those of the same group, each once, and leave the other group", () => {
    expect(addOverrides(experiment, start, given([units("b", ["1"]), units("a", ["2", "3"])]), context).userIDOverrides).toEqual([
      units("a", ["2", "3"]),
      units("b", ["1"]),
    ]);
  });

  test.each([[{ environment: "production" }], [{ unitType: "stableID" }]])(
    "an id stays where it is when it is added with another %o",
    (place) => {
      expect(addOverrides(experiment, start, given([units("b", ["1"], place)]), context).userIDOverrides).toEqual([
        units("a", ["1", "2"]),
        units("b", ["1"], place),
      ]);
    },
  );

  test("a segment moves to the group given, in its environment", () => {
    const added = addOverrides(experiment, start, given([], [segment("staff", "b"), segment("staff", "b", "staging")]), context);
    expect(added.overrides).toEqual([segment("staff", "b"), segment("staff", "b", "staging")]);
  });

  test("a list of more than 1000 items is rejected", () => {
    const many = { ...start, overrides: Array.from({ length: 1000 }, (_, index) => segment(`s${index}`, "a")) };
    expect(catchViolations(() => addOverrides(experiment, many, given([], [segment("staff", "b")]), context))).toEqual([
      { property: "overrides", errorMessage: "must not exceed 1000 items in total, but there would be 1001" },
    ]);
  });
});

describe("removeOverrides", () => {
  test("removes what is given, drops entries without ids, and ignores what does not exist", () => {
    const other = given([units("A", ["1", "9"])], [segment("staff", "A")]);
    expect(removeOverrides(experiment, start, other, context)).toEqual({ ...start, ...given([units("a", ["2"])]), version: 2 });
    expect(removeOverrides(experiment, start, given([units("a", ["1", "2"])]), context).userIDOverrides).toEqual([]);
    const elsewhere = given([units("b", ["1"]), units("a", ["1"], { environment: "production" })], [segment("staff", "b")]);
    expect(removeOverrides(experiment, start, elsewhere, context)).toEqual({ ...start, version: 2 });
  });
});

describe("requireNoOverrides", () => {
  const without = (id: string) => ({ ...experiment, groups: experiment.groups.filter((group) => group.id !== id) });

  test("a group with overrides cannot be removed; another can", () => {
    expect(catchViolations(() => requireNoOverrides(experiment, without("a"), start))).toEqual([
      { property: "groups", errorMessage: "must keep A, which overrides reference" },
    ]);
    requireNoOverrides(experiment, without("b"), start);
  });
});
