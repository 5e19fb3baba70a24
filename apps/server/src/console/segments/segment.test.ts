import { describe, expect, test } from "vitest";
import type { AppError } from "../../common/errors.ts";
import { archiveSegment, changeRules, isArchived, newSegment, restoreSegment, type Segment, unarchiveSegment } from "./segment.ts";

const context = { actor: { id: "key_1", name: "CONSOLE API", email: null }, projectID: "default", operationID: "test", now: 1 };
const staff = {
  name: "Staff",
  passPercentage: 100,
  conditions: [{ type: "email" as const, operator: "any" as const, targetValue: ["a"] }],
};
const ruled = newSegment({ name: "staff", type: "rule_based", rules: [staff] }, context);

const SUPPORTED: Condition["type"][] = [
  "app_version",
  "browser_name",
  "browser_version",
  "country",
  "custom_field",
  "email",
  "environment_tier",
  "fails_segment",
  "ip_address",
  "os_name",
  "os_version",
  "passes_segment",
  "unit_id",
  "user_id",
];
const UNSUPPORTED: Condition["type"][] = [
  "device_model",
  "experiment_group",
  "fails_gate",
  "javascript",
  "locale",
  "passes_gate",
  "public",
  "target_app",
  "time",
  "url",
  "user_agent",
];

test("an archived segment is out of use, and comes back as it was", () => {
  const archived = archiveSegment(ruled, context);
  expect(archived).toEqual({ ...ruled, isEnabled: false, version: 2 });
  expect([isArchived(ruled), isArchived(archived)]).toEqual([false, true]);
  expect(unarchiveSegment(archived, context)).toEqual({ ...ruled, version: 3 });
});

test("restoreSegment restores an old version with the current count of ids and the current holdouts", () => {
  const current = { ...ruled, description: "Changed.", count: 7, holdoutIDs: ["held"], version: 4 };
  expect(restoreSegment(current, ruled, context)).toEqual({ ...ruled, count: 7, holdoutIDs: ["held"], version: 5 });
});

describe("changeRules", () => {
  test("replaces all rules; a rule that keeps its id keeps its baseID", () => {
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

  test("reports every violation by its place in the body, which is the list itself", () => {
    const rules = [staff, { ...staff, passPercentage: 0.001, conditions: [{ type: "email" as const }] }];
    expect(catchViolations(() => changeRules(ruled, rules, context))).toEqual([
      { property: "[1].name", errorMessage: "must be unique in the body, but Staff is given twice" },
      { property: "[1].passPercentage", errorMessage: "must be in steps of 0.01" },
      { property: "[1].conditions[0].operator", errorMessage: "is required with type email" },
    ]);
  });

  test("rejects condition types that segments do not support, each with its place", () => {
    const ask = (...types: Condition["type"][]) => ({ ...staff, name: types.join(), conditions: types.map(condition) });
    const refused = catchViolations(() => changeRules(ruled, [ask(...SUPPORTED), ask("user_id", ...UNSUPPORTED)], context));
    expect(refused?.map(({ property }) => property)).toEqual(UNSUPPORTED.map((_, index) => `[1].conditions[${index + 1}].type`));
    expect(refused?.[0]?.errorMessage).toBe(`cannot be device_model in the rules of a segment. Use one of ${SUPPORTED.join(", ")}`);
  });

  test("rejects a segment of another type, and an archived one", () => {
    const listed = newSegment({ name: "listed", type: "id_list" }, context);
    expect(() => changeRules(listed, [], context)).toThrow("Segment must be of type 'rule_based' to be modified on this endpoint");
    expect(() => changeRules(archiveSegment(ruled, context), [], context)).toThrow("Segment staff is archived. Unarchive it first.");
  });
});

type Condition = Segment["rules"][number]["conditions"][number];

function condition(type: Condition["type"]): Condition {
  if (type === "public") return { type };
  if (/^(passes|fails)_/.test(type)) return { type, targetValue: "a" };
  return { type, operator: "any", targetValue: ["a"], field: "a", customID: "a" };
}

function catchViolations(work: () => unknown) {
  try {
    work();
  } catch (error) {
    return (error as AppError).violations;
  }
  return [];
}
