import { describe, expect, test } from "vitest";
import type { AppError } from "../../common/errors.ts";
import { addOverrides, NO_OVERRIDES, removeOverrides, replaceOverrides } from "./layer-overrides.ts";

const context = { actor: { id: "key_1", name: "CONSOLE API", email: null }, projectID: "p", operationID: "patchLayerOverrides", now: 1 };
const groups = ["A", "B", "C"].map((name) => ({ name, size: 0 }));
const experiments = [
  { id: "checkout", name: "Checkout", status: "active" as const, groups },
  { id: "search", name: "Search", status: "active" as const, groups: groups.slice(0, 2) },
];
const ids = (
  groupName: string,
  list: string[],
  place: { idType?: string | null; environment?: string; experimentName?: string | null } = {},
) => ({
  groupName,
  ids: list,
  idType: "userID",
  environment: "staging",
  experimentName: "checkout",
  ...place,
});
type IDs = ReturnType<typeof ids>;
const staff = { type: "segment" as const, name: "staff", experimentName: "checkout", groupName: "A" };
const holding = (...idOverrides: IDs[]) => ({ ...NO_OVERRIDES, idOverrides });
const lists = (...idOverrides: IDs[]) => ({ conditionalOverrides: [], idOverrides });
const add = (current: IDs[], ...given: IDs[]) => addOverrides(holding(...current), lists(...given), experiments, context).idOverrides;
const remove = (current: IDs[], ...given: IDs[]) => removeOverrides(holding(...current), lists(...given), experiments, context).idOverrides;

function catchViolations(work: () => unknown) {
  try {
    work();
  } catch (error) {
    return (error as AppError).violations;
  }
  return [];
}

describe("addOverrides", () => {
  test("ids join those of the same group, each once", () => {
    expect(add([ids("A", ["1", "2"])], ids("A", ["2", "3", "3"]))).toEqual([ids("A", ["1", "2", "3"])]);
  });

  test("an id leaves the other group that it was in", () => {
    expect(add([ids("A", ["1", "2"])], ids("B", ["1"]))).toEqual([ids("A", ["2"]), ids("B", ["1"])]);
  });

  test("a group without ids is dropped, and an entry without ids adds nothing", () => {
    expect(add([ids("A", ["1"])], ids("B", ["1"]), ids("C", []))).toEqual([ids("B", ["1"])]);
  });

  test.each([[{ experimentName: "search" }], [{ environment: "production" }], [{ idType: "stableID" }]])(
    "an id stays where it is when it is added to a group with another %o",
    (place) => {
      expect(add([ids("A", ["1"])], ids("B", ["1"], place))).toEqual([ids("A", ["1"]), ids("B", ["1"], place)]);
    },
  );

  test("of two contradictory entries the later one wins", () => {
    expect(add([], ids("A", ["1", "2"]), ids("B", ["1"]), ids("A", ["1"]))).toEqual([ids("A", ["2", "1"])]);
  });

  test("a field that is left out becomes null and equals null", () => {
    const bare = { groupName: "A", ids: ["1"] };
    const kept = { groupName: "A", ids: ["1"], idType: null, environment: null, experimentName: null };
    const overrides = addOverrides(NO_OVERRIDES, { conditionalOverrides: [], idOverrides: [bare, kept] }, experiments, context);
    expect(overrides.idOverrides).toEqual([kept]);
  });

  test("conditional overrides are not duplicated", () => {
    const current = { ...NO_OVERRIDES, conditionalOverrides: [staff] };
    const other = { ...staff, groupName: "B" };
    const overrides = addOverrides(current, { conditionalOverrides: [{ ...staff }, other, other], idOverrides: [] }, experiments, context);
    expect(overrides.conditionalOverrides).toEqual([staff, other]);
  });

  test("an experiment that is given by name is stored by id, so that entries by name and by id cannot contradict each other", () => {
    expect(add([ids("A", ["1"])], ids("B", ["1"], { experimentName: "Checkout" }))).toEqual([ids("B", ["1"])]);
  });

  test("a name of two experiments is rejected; the id of one is not", () => {
    const sameNames = [...experiments, { id: "Search", name: "Checkout", status: "active" as const, groups }];
    const given = (experimentName: string) => lists(ids("A", ["1"], { experimentName }));
    expect(catchViolations(() => addOverrides(NO_OVERRIDES, given("Checkout"), sameNames, context))).toEqual([
      { property: "idOverrides[0].experimentName", errorMessage: "must be the id or the unique name of an experiment in the layer" },
    ]);
    expect(addOverrides(NO_OVERRIDES, given("Search"), sameNames, context).idOverrides).toEqual([
      ids("A", ["1"], { experimentName: "Search" }),
    ]);
  });

  test("every experiment that is not on the layer is reported, and every group that the experiment does not have", () => {
    const given = {
      conditionalOverrides: [staff, { ...staff, experimentName: "elsewhere" }, { ...staff, groupName: "Z" }],
      idOverrides: [
        ids("C", ["1"]),
        ids("C", ["1"], { experimentName: "search" }),
        ids("C", ["1"], { experimentName: null }),
        ids("Z", ["1"], { experimentName: null }),
        ids("A", ["1"], { experimentName: "" }),
      ],
    };
    const experiment = "must be the id or the unique name of an experiment in the layer";
    expect(catchViolations(() => addOverrides(NO_OVERRIDES, given, experiments, context))).toEqual([
      { property: "conditionalOverrides[1].experimentName", errorMessage: experiment },
      { property: "conditionalOverrides[2].groupName", errorMessage: "must be the name of a group of experiment checkout" },
      { property: "idOverrides[1].groupName", errorMessage: "must be the name of a group of experiment search" },
      { property: "idOverrides[3].groupName", errorMessage: "must be the name of a group of an experiment in the layer" },
      { property: "idOverrides[4].experimentName", errorMessage: experiment },
    ]);
  });
});

describe("replaceOverrides", () => {
  test("replaces everything, with each id in its last group, as the next version", () => {
    const current = { conditionalOverrides: [staff], idOverrides: [ids("C", ["9"])], version: 4, createdTime: 7 };
    const other = { ...staff, name: "testers" };
    const given = { conditionalOverrides: [other, other], idOverrides: [ids("A", ["1", "2"]), ids("B", ["1"])] };
    expect(replaceOverrides(current, given, experiments, context)).toEqual({
      conditionalOverrides: [other],
      idOverrides: [ids("A", ["2"]), ids("B", ["1"])],
      version: 5,
      createdTime: 7,
    });
  });

  test("existing overrides may reference what was deleted since; new ones may not", () => {
    const current = { conditionalOverrides: [staff], idOverrides: [ids("A", ["1"])], version: 4, createdTime: 7 };
    expect(replaceOverrides(current, current, [], context)).toEqual({ ...current, version: 5 });
    expect(catchViolations(() => replaceOverrides(current, lists(ids("B", ["1"])), [], context))).toHaveLength(1);
  });
});

describe("removeOverrides", () => {
  test("ids leave the group that they are given with, and no other", () => {
    const current = [ids("A", ["1", "2"]), ids("A", ["1"], { environment: "production" })];
    expect(remove(current, ids("A", ["1"]))).toEqual([ids("A", ["2"]), current[1]]);
    expect(remove(current, ids("B", ["1"]), ids("A", ["7"]), ids("A", []))).toEqual(current);
  });

  test("an entry without IDs is dropped, even when its IDs are removed one by one", () => {
    expect(remove([ids("A", ["1", "2"])], ids("A", ["1"]), ids("A", ["2"], { experimentName: "Checkout" }))).toEqual([]);
  });

  test("a conditional override can be removed even if what it references was deleted", () => {
    const other = { ...staff, groupName: "B" };
    const current = { ...NO_OVERRIDES, conditionalOverrides: [staff, other] };
    expect(removeOverrides(current, { conditionalOverrides: [{ ...staff }], idOverrides: [] }, [], context)).toEqual({
      ...NO_OVERRIDES,
      conditionalOverrides: [other],
      version: 1,
      createdTime: 1,
    });
  });

  test("IDs that were added can be removed again", () => {
    const given = { conditionalOverrides: [staff], idOverrides: [ids("A", ["1"]), ids("B", ["2"])] };
    const added = addOverrides(NO_OVERRIDES, given, experiments, context);
    expect(removeOverrides(added, given, experiments, context)).toEqual({ ...NO_OVERRIDES, version: 2, createdTime: 1 });
  });
});
