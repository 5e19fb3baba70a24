import { describe, expect, test } from "vitest";
import type { AppError } from "../../errors.ts";
import { archiveSegment, changeRules, isArchived, newSegment, segmentIdentifier, unarchiveSegment } from "./segment.ts";

const context = { actor: { id: "key_1", name: "CONSOLE API" }, projectID: "default", operationID: "test", now: 1 };
const staff = {
  name: "Staff",
  passPercentage: 100,
  conditions: [{ type: "email" as const, operator: "any" as const, targetValue: ["a"] }],
};
const ruled = newSegment({ name: "staff", type: "rule_based", rules: [staff] }, context);

test.each([
  ["beta_testers", "beta_testers"],
  ["Beta-Testers", "Beta-Testers"],
  ["Rule Based Segment", "rule_based_segment"],
])("a segment named %s has the id %s", (name, id) => {
  expect(segmentIdentifier(name)).toBe(id);
});

test("an archived segment is out of use, and comes back as it was", () => {
  const archived = archiveSegment(ruled, context);
  expect(archived).toEqual({ ...ruled, isEnabled: false, version: 2 });
  expect([isArchived(ruled), isArchived(archived)]).toEqual([false, true]);
  expect(unarchiveSegment(archived, context)).toEqual({ ...ruled, version: 3 });
});

describe("changeRules", () => {
  test("replaces all rules; one that keeps its id keeps its baseID", () => {
    const [rule] = ruled.rules;
    const other = { ...staff, id: "other", name: "Other" };
    const { rules, version } = changeRules(
      ruled,
      [other, { ...staff, id: rule?.id as string, baseID: "forged", name: "Renamed" }],
      context,
    );
    expect(version).toBe(2);
    expect(rules).toEqual([
      { ...other, baseID: "other", environments: null },
      { ...rule, name: "Renamed" },
    ]);
  });

  test("names every violation by its place in the body, which is the list itself", () => {
    const rules = [staff, { ...staff, passPercentage: 0.001, conditions: [{ type: "email" as const }] }];
    expect(violationsOf(() => changeRules(ruled, rules, context))).toEqual([
      { property: "[1].name", errorMessage: "must be unique in the body, but Staff is given twice" },
      { property: "[1].passPercentage", errorMessage: "must be in steps of 0.01" },
      { property: "[1].conditions[0].operator", errorMessage: "is required with type email" },
    ]);
  });

  test("refuses a segment of another type, and an archived one", () => {
    const listed = newSegment({ name: "listed", type: "id_list" }, context);
    expect(() => changeRules(listed, [], context)).toThrow("Segment must be of type 'rule_based' to be modified on this endpoint");
    expect(() => changeRules(archiveSegment(ruled, context), [], context)).toThrow("Segment staff is archived. Unarchive it first.");
  });
});

function violationsOf(work: () => unknown) {
  try {
    work();
  } catch (error) {
    return (error as AppError).violations;
  }
  return [];
}
