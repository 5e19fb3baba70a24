import { describe, expect, test } from "vitest";
import { addOverrides, NO_OVERRIDES } from "./layer-overrides.ts";

const context = { actor: { id: "key_1", name: "CONSOLE API" }, projectID: "p", operationID: "patchLayerOverrides", now: 1 };
const ids = (groupName: string, list: string[], place: { idType?: string; environment?: string; experimentName?: string } = {}) => ({
  groupName,
  ids: list,
  idType: "userID",
  environment: "staging",
  experimentName: "checkout",
  ...place,
});
const add = (current: ReturnType<typeof ids>[], ...given: ReturnType<typeof ids>[]) =>
  addOverrides({ ...NO_OVERRIDES, idOverrides: current }, { op: "add", conditionalOverrides: [], idOverrides: given }, context).idOverrides;

describe("addOverrides", () => {
  test("ids join those of the same group, each once", () => {
    expect(add([ids("A", ["1", "2"])], ids("A", ["2", "3", "3"]))).toEqual([ids("A", ["1", "2", "3"])]);
  });

  test("an id leaves the other group that it was in", () => {
    expect(add([ids("A", ["1", "2"])], ids("B", ["1"]))).toEqual([ids("A", ["2"]), ids("B", ["1"])]);
  });

  test("a group that no id is left in is dropped, and an entry without ids adds nothing", () => {
    expect(add([ids("A", ["1"])], ids("B", ["1"]), ids("C", []))).toEqual([ids("B", ["1"])]);
  });

  test.each([[{ experimentName: "search" }], [{ environment: "production" }], [{ idType: "stableID" }]])(
    "an id stays where it is when it is added to a group with another %o",
    (place) => {
      expect(add([ids("A", ["1"])], ids("B", ["1"], place))).toEqual([ids("A", ["1"]), ids("B", ["1"], place)]);
    },
  );

  test("of two entries that contradict each other the later stands", () => {
    expect(add([], ids("A", ["1", "2"]), ids("B", ["1"]), ids("A", ["1"]))).toEqual([ids("A", ["2", "1"])]);
  });

  test("what is left out is null, and means the same as null", () => {
    const bare = { groupName: "A", ids: ["1"] };
    const kept = { groupName: "A", ids: ["1"], idType: null, environment: null, experimentName: null };
    const overrides = addOverrides(NO_OVERRIDES, { op: "add", conditionalOverrides: [], idOverrides: [bare, kept] }, context);
    expect(overrides.idOverrides).toEqual([kept]);
  });

  test("a conditional override that is there is not doubled", () => {
    const staff = { type: "segment", name: "staff", experimentName: "checkout", groupName: "A" };
    const current = { ...NO_OVERRIDES, conditionalOverrides: [staff] };
    const other = { ...staff, groupName: "B" };
    const overrides = addOverrides(current, { op: "add", conditionalOverrides: [{ ...staff }, other, other], idOverrides: [] }, context);
    expect(overrides.conditionalOverrides).toEqual([staff, other]);
  });
});
